import type { EachBatchHandler, EachBatchPayload, KafkaMessage } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { BACKGROUND_LINGER_MS } from "../../runtime/loop.ts";
import { createBatcher } from "../../work/micro-batcher.ts";
import { type BusEvent, deliver, MAX_BATCH_EVENTS } from "../event-bus.ts";
import { eventFromRecord } from "./record.ts";

interface BatchHandling {
	readonly group: string;
	readonly lingerMs?: number | undefined;
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly heartbeatMs: number;
	readonly onFailure: () => void;
}

/** Consecutive records of one partition. */
interface Slice {
	readonly payload: EachBatchPayload;
	readonly messages: readonly KafkaMessage[];
}

const MAX_PARTITIONS = 10_000;

/** Delivers the records of a fetch together and commits them once they are accepted. */
export function handleBatches(handling: BatchHandling): EachBatchHandler {
	const fetched = createBatcher<EachBatchPayload, void>({
		maxItems: MAX_PARTITIONS,
		maxInFlight: 1,
		lingerMs: () => handling.lingerMs ?? BACKGROUND_LINGER_MS,
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
		const [first] = current;
		if (first === undefined) continue;
		if (!(await deliverPart(handling, current, first.payload))) return;
	}
}

function splitByCount(payloads: readonly EachBatchPayload[]): Slice[][] {
	const parts: Slice[][] = [];
	let left = 0;
	for (const payload of payloads) {
		const { messages } = payload.batch;
		for (let at = 0; at < messages.length; ) {
			if (left === 0) {
				parts.push([]);
				left = MAX_BATCH_EVENTS;
			}
			const slice = messages.slice(at, at + left);
			parts.at(-1)?.push({ payload, messages: slice });
			at += slice.length;
			left -= slice.length;
		}
	}
	return parts;
}

async function deliverPart(
	handling: BatchHandling,
	slices: readonly Slice[],
	member: EachBatchPayload,
): Promise<boolean> {
	const { group, onBatch, log, onFailure } = handling;
	const heartbeats = sendHeartbeats(
		member,
		handling.signal,
		handling.heartbeatMs,
	);
	const accepted = await deliver({
		group,
		onBatch,
		log,
		onFailure,
		events: slices.flatMap(toEvents),
		signal: heartbeats.signal,
	}).finally(heartbeats.stop);
	if (accepted) await commit(slices, member);
	heartbeats.throwIfLost();
	return accepted;
}

function toEvents({ payload, messages }: Slice): BusEvent[] {
	return messages.map((message) => eventFromRecord(payload.batch, message));
}

async function commit(
	slices: readonly Slice[],
	member: EachBatchPayload,
): Promise<void> {
	const byTopic = Map.groupBy(slices, ({ payload }) => payload.batch.topic);
	await member.commitOffsetsIfNecessary({
		topics: [...byTopic].map(([topic, slices]) => ({
			topic,
			partitions: slices.map(({ payload, messages }) => ({
				partition: payload.batch.partition,
				offset: String(BigInt(lastOffset(messages)) + 1n),
			})),
		})),
	});
	for (const { payload, messages } of slices)
		payload.resolveOffset(lastOffset(messages));
}

function lastOffset(messages: readonly KafkaMessage[]): string {
	return messages.at(-1)?.offset ?? "0";
}

interface Heartbeats {
	readonly signal: AbortSignal;
	stop(): void;
	throwIfLost(): void;
}

/** The library sends heartbeats between batches only; these keep the membership during a long one. */
function sendHeartbeats(
	member: EachBatchPayload,
	signal: AbortSignal,
	heartbeatMs: number,
): Heartbeats {
	const ending = new AbortController();
	let lost: { error: unknown } | undefined;
	const end = () => ending.abort();
	if (signal.aborted) end();
	signal.addEventListener("abort", end, { once: true });
	const timer = setInterval(() => {
		member.heartbeat().catch((error) => {
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
