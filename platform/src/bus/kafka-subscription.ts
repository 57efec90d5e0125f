import { randomUUID } from "node:crypto";
import type { Admin, Consumer, Kafka } from "kafkajs";
import type { SubscribeOptions, Subscription } from "../event-bus.ts";
import type { Logger } from "../log.ts";
import { pause } from "../loop.ts";
import type { Metrics } from "../metrics.ts";
import { handleBatches } from "./kafka-batches.ts";
import { KAFKA_RETRY } from "./kafka-client.ts";
import { findStartPositions, holdStartPositions } from "./kafka-positions.ts";
import { type KafkaWatchdog, startKafkaWatchdog } from "./kafka-watchdog.ts";

export interface KafkaSubscriptionContext {
	readonly kafka: Kafka;
	readonly admin: Admin;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly ensureTopics: (topics: readonly string[]) => Promise<void>;
	/** A member that is silent for so long loses its partitions, ms. */
	readonly sessionTimeoutMs: number;
	/** A member that makes no progress for so long while events wait is taken for dead, ms. */
	readonly stallTimeoutMs: number;
	/** Called when this process can no longer consume and should end. */
	readonly onFatal: (error: Error) => void;
	/** Ends when the bus closes. */
	readonly signal: AbortSignal;
}

/** Longest wait of a fetch for news, ms: stopping waits for it. */
const FETCH_WAIT_MS = 200;
/** Batches of different partitions that are worked on at a time. */
const CONCURRENT_PARTITIONS = 4;
const HEARTBEATS_PER_SESSION = 5;
const REBALANCE_TIMEOUT_MS = 30_000;
const RETRY_PAUSE_MS = 1_000;

/** Joins the group and consumes; tries again for as long as the broker cannot be reached. */
export async function subscribeToKafka(
	context: KafkaSubscriptionContext,
	options: SubscribeOptions,
): Promise<Subscription> {
	const groupId =
		options.ephemeral === true
			? `${options.group}.${randomUUID()}`
			: options.group;
	const closing = new AbortController();
	const signal = AbortSignal.any([context.signal, closing.signal]);
	const consumer = createConsumer(context, groupId, signal);
	const watchdog = startKafkaWatchdog({ ...context, ...options, groupId });
	const close = async () => {
		closing.abort();
		await Promise.all([consumer.disconnect(), watchdog.close()]);
		if (options.ephemeral === true) await forgetGroup(context, groupId);
	};
	observe(consumer, watchdog, context, signal);
	try {
		await untilDone(context, async () => {
			await join({ context, options, groupId, consumer, watchdog, signal });
		});
	} catch (error) {
		await close();
		throw error;
	}
	return { close };
}

function createConsumer(
	{ kafka, sessionTimeoutMs }: KafkaSubscriptionContext,
	groupId: string,
	signal: AbortSignal,
): Consumer {
	return kafka.consumer({
		groupId,
		allowAutoTopicCreation: false,
		maxWaitTimeInMs: FETCH_WAIT_MS,
		sessionTimeout: sessionTimeoutMs,
		heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
		rebalanceTimeout: REBALANCE_TIMEOUT_MS,
		retry: { ...KAFKA_RETRY, restartOnFailure: async () => !signal.aborted },
	});
}

function observe(
	consumer: Consumer,
	watchdog: KafkaWatchdog,
	{ onFatal, log }: KafkaSubscriptionContext,
	signal: AbortSignal,
): void {
	consumer.on(consumer.events.CRASH, ({ payload }) => {
		watchdog.assign(undefined);
		if (signal.aborted) return;
		const { error, groupId, restart } = payload;
		log.warn({ err: error, groupId, restart }, "consumer lost its broker");
		if (!restart) onFatal(error);
	});
	consumer.on(consumer.events.REBALANCING, () => watchdog.assign(undefined));
	consumer.on(consumer.events.GROUP_JOIN, ({ payload }) =>
		watchdog.assign(payload.memberAssignment),
	);
}

interface Joining {
	readonly context: KafkaSubscriptionContext;
	readonly options: SubscribeOptions;
	readonly groupId: string;
	readonly consumer: Consumer;
	readonly watchdog: KafkaWatchdog;
	readonly signal: AbortSignal;
}

async function join(joining: Joining): Promise<void> {
	const { context, options, groupId, consumer } = joining;
	const topics = [...options.topics];
	await context.ensureTopics(topics);
	const starts = beginsLatest(options)
		? await findStartPositions(context.admin, groupId, topics)
		: [];
	await consumer.connect();
	await consumer.subscribe({ topics, fromBeginning: true });
	const commitStarts = holdStartPositions(consumer, starts, context.log);
	await consumer.run({
		autoCommit: false,
		eachBatchAutoResolve: false,
		partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
		eachBatch: handleBatches({
			...options,
			signal: joining.signal,
			log: context.log,
			heartbeatMs: context.sessionTimeoutMs / HEARTBEATS_PER_SESSION,
			onFailure: joining.watchdog.attempt,
		}),
	});
	await commitStarts();
}

function beginsLatest({ from, ephemeral }: SubscribeOptions): boolean {
	return ephemeral === true || from === "latest";
}

async function untilDone(
	{ log, signal }: KafkaSubscriptionContext,
	work: () => Promise<void>,
): Promise<void> {
	while (!signal.aborted) {
		try {
			return await work();
		} catch (error) {
			log.warn({ err: error }, "event bus not reached; it will be tried again");
			await pause(RETRY_PAUSE_MS, signal);
		}
	}
	throw new Error("The event bus was closed.");
}

/** Without this the broker drops the group's place by itself, days later. */
async function forgetGroup(
	{ admin, log }: KafkaSubscriptionContext,
	groupId: string,
): Promise<void> {
	try {
		await admin.deleteGroups([groupId]);
	} catch (error) {
		log.debug({ err: error, groupId }, "group left to expire");
	}
}
