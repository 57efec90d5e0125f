import { randomUUID } from "node:crypto";
import type { Admin, Consumer, Kafka, TopicPartitionOffset } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import type { Metrics } from "../../runtime/metrics.ts";
import type { SubscribeOptions, Subscription } from "../event-bus.ts";
import { untilReached } from "../until-reached.ts";
import { handleBatches } from "./batches.ts";
import { KAFKA_RETRY } from "./client.ts";
import { type BatchesInFlight, isInTime, trackBatches } from "./close.ts";
import { isFinalCrash } from "./crash.ts";
import { findOffsets, type PartitionOffset } from "./offsets.ts";
import type { TopicKeeper } from "./topics.ts";
import { type KafkaWatchdog, startKafkaWatchdog } from "./watchdog.ts";

interface KafkaSubscriptionContext {
	readonly kafka: Kafka;
	readonly admin: Admin;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly topics: TopicKeeper;
	readonly sessionTimeoutMs: number;
	/** A member that makes no progress for so long while events wait is taken for dead, ms. */
	readonly stallTimeoutMs: number;
	readonly onFatal: (error: Error) => void;
	readonly signal: AbortSignal;
}

const FETCH_WAIT_MS = 500;
const CONCURRENT_PARTITIONS = 128;
const HEARTBEATS_PER_SESSION = 5;
const REBALANCE_TIMEOUT_MS = 30_000;
const LEAVE_WAIT_MS = 1_000;
const FORGET_WAIT_MS = 500;

export async function subscribeToKafka(
	context: KafkaSubscriptionContext,
	options: SubscribeOptions,
): Promise<Subscription> {
	const closing = new AbortController();
	const member = createMember(context, options, closing.signal);
	const { log } = context;
	const { signal } = member;
	const reach = (work: () => Promise<void>) =>
		untilReached({ log, signal }, () =>
			work().catch((error: unknown) => {
				context.topics.failed(error);
				throw error;
			}),
		);
	let rejoined = Promise.resolve();
	observe(member, () => {
		rejoined = reach(() => run(member)).catch(() => {});
	});
	const leave = async () => {
		await rejoined;
		await Promise.all([member.consumer.disconnect(), member.watchdog.close()]);
	};
	const close = async () => {
		closing.abort();
		const idle = member.batches.idle();
		const left = await isInTime(leave(), LEAVE_WAIT_MS, idle);
		if (left && options.ephemeral === true)
			await isInTime(forgetGroup(member), FORGET_WAIT_MS);
	};
	try {
		await reach(() => prepare(member));
		await reach(() => run(member));
	} catch (error) {
		await close();
		throw error;
	}
	return { close };
}

interface Member {
	readonly context: KafkaSubscriptionContext;
	readonly options: SubscribeOptions;
	readonly groupId: string;
	readonly consumer: Consumer;
	readonly batches: BatchesInFlight;
	readonly watchdog: KafkaWatchdog;
	readonly signal: AbortSignal;
}

function createMember(
	context: KafkaSubscriptionContext,
	options: SubscribeOptions,
	closing: AbortSignal,
): Member {
	const { group, ephemeral } = options;
	const groupId = ephemeral === true ? `${group}.${randomUUID()}` : group;
	return {
		context,
		options,
		groupId,
		consumer: createConsumer(context, groupId),
		batches: trackBatches(options.onBatch),
		watchdog: startKafkaWatchdog({ ...context, ...options, groupId }),
		signal: AbortSignal.any([context.signal, closing]),
	};
}

function createConsumer(
	{ kafka, sessionTimeoutMs }: KafkaSubscriptionContext,
	groupId: string,
): Consumer {
	return kafka.consumer({
		groupId,
		allowAutoTopicCreation: false,
		maxWaitTimeInMs: FETCH_WAIT_MS,
		sessionTimeout: sessionTimeoutMs,
		heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
		rebalanceTimeout: REBALANCE_TIMEOUT_MS,
		retry: { ...KAFKA_RETRY, restartOnFailure: async () => false },
	});
}

function observe(
	{ consumer, watchdog, context, signal }: Member,
	rejoin: () => void,
): void {
	consumer.on(consumer.events.CRASH, ({ payload: { error, groupId } }) => {
		watchdog.assign(undefined);
		if (signal.aborted) return;
		context.log.warn({ err: error, groupId }, "consumer lost its broker");
		context.topics.failed(error);
		if (isFinalCrash(error)) context.onFatal(error);
		else rejoin();
	});
	consumer.on(consumer.events.REBALANCING, () => watchdog.assign(undefined));
	consumer.on(consumer.events.GROUP_JOIN, ({ payload }) =>
		watchdog.assign(payload.memberAssignment),
	);
}

async function prepare(member: Member): Promise<void> {
	const { context, options, groupId, consumer, watchdog } = member;
	await context.topics.ensure(options.topics);
	if (options.ephemeral !== true) return;
	const offsets = await findOffsets(context.admin, groupId, options.topics);
	beginAtEnds(consumer, offsets);
	watchdog.beginAt(offsets);
}

async function run(member: Member): Promise<void> {
	const { context, options, consumer, batches, watchdog, signal } = member;
	await context.topics.ensure(options.topics);
	await consumer.connect();
	await consumer.subscribe({
		topics: [...options.topics],
		fromBeginning: true,
	});
	await consumer.run({
		autoCommit: false,
		eachBatchAutoResolve: false,
		partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
		eachBatch: handleBatches({
			group: options.group,
			lingerMs: options.lingerMs,
			onBatch: batches.onBatch,
			signal,
			log: context.log,
			heartbeatMs: context.sessionTimeoutMs / HEARTBEATS_PER_SESSION,
			onFailure: watchdog.attempt,
		}),
	});
}

async function forgetGroup({ context, groupId }: Member): Promise<void> {
	try {
		await context.admin.deleteGroups([groupId]);
	} catch (err) {
		context.log.debug({ err, groupId }, "group left to expire");
	}
}

/** Makes the only member of a new group begin at the ends of its partitions, until it has committed an offset. */
function beginAtEnds(
	consumer: Consumer,
	offsets: readonly PartitionOffset[],
): void {
	let starts: readonly TopicPartitionOffset[] = offsets.map(
		({ topic, partition, end }) => ({ topic, partition, offset: end }),
	);
	consumer.on(consumer.events.GROUP_JOIN, () => {
		for (const start of starts) consumer.seek(start);
	});
	consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
		const committed = new Set(
			payload.topics.flatMap(({ topic, partitions }) =>
				partitions.map(({ partition }) => `${topic}/${partition}`),
			),
		);
		starts = starts.filter(
			({ topic, partition }) => !committed.has(`${topic}/${partition}`),
		);
	});
}
