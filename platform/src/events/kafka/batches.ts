import type { EachBatchHandler, EachBatchPayload, KafkaMessage } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { BACKGROUND_LINGER_MS } from "../../runtime/loop.ts";
import { createBatcher } from "../../work/micro-batcher.ts";
import { deliver } from "../deliver.ts";
import { type BusEvent, MAX_BATCH_EVENTS } from "../event-bus.ts";
import { eventOfRecord } from "./record.ts";

export interface BatchHandling {
	readonly group: string;
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly heartbeatMs: number;
	/** Called after each refusal of a batch. */
	readonly onFailure: () => void;
}

/** Consecutive records of one partition. */
interface Stretch {
	readonly payload: EachBatchPayload;
	readonly messages: readonly KafkaMessage[];
}

/** Partitions of one fetch; there are never so many. */
const MAX_PARTITIONS = 10_000;

/**
 * Delivers the records of a fetch, of all its partitions together, and commits their offsets once they
 * are accepted. The offsets go to the broker before the next fetch moves on: should that fail, the same
 * records come again and are committed again.
 */
export function handleBatches(handling: BatchHandling): EachBatchHandler {
	const fetched = createBatcher<EachBatchPayload, void>({
		maxItems: MAX_PARTITIONS,
		maxInFlight: 1,
		lingerMs: BACKGROUND_LINGER_MS,
		flush: async (payloads) => {
			await deliverAll(handling, payloads);
			return payloads.map(() => undefined);
		},
	});
	return fetched.add;
}

async function deliverAll(
	handling: BatchHandling,
	payloads: readonly EachBatchPayload[],
): Promise<void> {
	for (const part of splitByCount(payloads)) {
		const current = part.filter(
			({ payload }) => payload.isRunning() && !payload.isStale(),
		);
		if (current.length === 0) continue;
		if (!(await deliverPart(handling, current))) return;
	}
}

/** Parts of at most MAX_BATCH_EVENTS records, each partition's in their order. */
function splitByCount(payloads: readonly EachBatchPayload[]): Stretch[][] {
	const parts: Stretch[][] = [];
	let room = 0;
	for (const payload of payloads) {
		const { messages } = payload.batch;
		for (let at = 0; at < messages.length; ) {
			if (room === 0) {
				parts.push([]);
				room = MAX_BATCH_EVENTS;
			}
			const stretch = messages.slice(at, at + room);
			parts.at(-1)?.push({ payload, messages: stretch });
			at += stretch.length;
			room -= stretch.length;
		}
	}
	return parts;
}

async function deliverPart(
	handling: BatchHandling,
	stretches: readonly Stretch[],
): Promise<boolean> {
	const pulse = startPulse(stretches, handling);
	const accepted = await deliver({
		group: handling.group,
		events: stretches.flatMap(eventsOf),
		onBatch: handling.onBatch,
		signal: pulse.signal,
		log: handling.log,
		onFailure: handling.onFailure,
	}).finally(pulse.stop);
	if (accepted) await commit(stretches);
	pulse.throwIfLost();
	return accepted;
}

function eventsOf({ payload, messages }: Stretch): BusEvent[] {
	const { topic, partition } = payload.batch;
	return messages.map((message) =>
		eventOfRecord({ topic, partition }, message),
	);
}

async function commit(stretches: readonly Stretch[]): Promise<void> {
	const byTopic = Map.groupBy(stretches, ({ payload }) => payload.batch.topic);
	await stretches[0]?.payload.commitOffsetsIfNecessary({
		topics: [...byTopic].map(([topic, stretches]) => ({
			topic,
			partitions: stretches.map(({ payload, messages }) => ({
				partition: payload.batch.partition,
				offset: String(BigInt(lastOffsetOf(messages)) + 1n),
			})),
		})),
	});
	for (const { payload, messages } of stretches)
		payload.resolveOffset(lastOffsetOf(messages));
}

function lastOffsetOf(messages: readonly KafkaMessage[]): string {
	return messages.at(-1)?.offset ?? "0";
}

interface Pulse {
	/** Ends with the handling, or when a heartbeat failed: the partitions may belong to another member by now. */
	readonly signal: AbortSignal;
	stop(): void;
	/** Hands the failed heartbeat's error to the library, which joins the group again. */
	throwIfLost(): void;
}

/** The library sends heartbeats between batches only; these keep the membership during a long one. */
function startPulse(
	stretches: readonly Stretch[],
	{ signal, heartbeatMs }: BatchHandling,
): Pulse {
	const ending = new AbortController();
	let lost: { error: unknown } | undefined;
	const end = () => ending.abort();
	if (signal.aborted) end();
	signal.addEventListener("abort", end, { once: true });
	const timer = setInterval(() => {
		stretches[0]?.payload.heartbeat().catch((error) => {
			lost ??= { error };
			end();
		});
	}, heartbeatMs);
	return {
		signal: ending.signal,
		stop: () => {
			clearInterval(timer);
			signal.removeEventListener("abort", end);
		},
		throwIfLost: () => {
			if (lost !== undefined) throw lost.error;
		},
	};
}
