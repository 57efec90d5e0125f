import type { EachBatchHandler, EachBatchPayload, KafkaMessage } from "kafkajs";
import { type BusEvent, MAX_BATCH_EVENTS } from "../event-bus.ts";
import type { Logger } from "../log.ts";
import { deliver } from "./deliver.ts";
import { eventOfRecord, type RecordPlace } from "./kafka-record.ts";

export interface BatchHandling {
	readonly group: string;
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly heartbeatMs: number;
	/** Called after each refusal of a batch of this partition. */
	readonly onFailure: (place: RecordPlace) => void;
}

/**
 * Delivers the records of a partition and commits their offset once they are accepted.
 * The offset goes to the broker before the next fetch moves on: should that fail, the same records
 * come again and are committed again.
 */
export function handleBatches(handling: BatchHandling): EachBatchHandler {
	return async (payload) => {
		const { messages } = payload.batch;
		for (let at = 0; at < messages.length; at += MAX_BATCH_EVENTS) {
			if (!payload.isRunning() || payload.isStale()) return;
			const part = messages.slice(at, at + MAX_BATCH_EVENTS);
			if (!(await deliverPart(handling, payload, part))) return;
		}
	};
}

async function deliverPart(
	handling: BatchHandling,
	payload: EachBatchPayload,
	messages: readonly KafkaMessage[],
): Promise<boolean> {
	const { topic, partition } = payload.batch;
	const pulse = startPulse(payload.heartbeat, handling.heartbeatMs);
	const accepted = await deliver({
		group: handling.group,
		events: messages.map((message) =>
			eventOfRecord({ topic, partition }, message),
		),
		onBatch: handling.onBatch,
		signal: AbortSignal.any([handling.signal, pulse.lost]),
		log: handling.log,
		onFailure: () => handling.onFailure({ topic, partition }),
	}).finally(pulse.stop);
	if (accepted) await commit(payload, messages.at(-1)?.offset ?? "0");
	pulse.throwIfLost();
	return accepted;
}

async function commit(
	{ batch, commitOffsetsIfNecessary, resolveOffset }: EachBatchPayload,
	lastOffset: string,
): Promise<void> {
	const { topic, partition } = batch;
	const offset = String(BigInt(lastOffset) + 1n);
	await commitOffsetsIfNecessary({
		topics: [{ topic, partitions: [{ partition, offset }] }],
	});
	resolveOffset(lastOffset);
}

interface Pulse {
	/** Ends when a heartbeat failed: the partition may belong to another member by now. */
	readonly lost: AbortSignal;
	stop(): void;
	/** Hands the failed heartbeat's error to the library, which joins the group again. */
	throwIfLost(): void;
}

/** The library sends heartbeats between batches only; these keep the membership during a long one. */
function startPulse(heartbeat: () => Promise<void>, everyMs: number): Pulse {
	const lost = new AbortController();
	const timer = setInterval(() => {
		heartbeat().catch((error) => lost.abort(error));
	}, everyMs);
	return {
		lost: lost.signal,
		stop: () => clearInterval(timer),
		throwIfLost: () => lost.signal.throwIfAborted(),
	};
}
