import { getEventListeners } from "node:events";
import type { EachBatchPayload } from "kafkajs";
import { expect, test } from "vitest";
import { silentLog } from "../../testing/log.ts";
import { handleBatches } from "./batches.ts";

const TOPIC = "a.v1";

/** One record of one partition, whose heartbeat and commit are the test's. */
function fetched(heartbeat: () => Promise<void>) {
	const committed: unknown[] = [];
	const payload = {
		batch: {
			topic: TOPIC,
			partition: 0,
			messages: [{ key: null, value: Buffer.from("x"), offset: "7" }],
		},
		isRunning: () => true,
		isStale: () => false,
		heartbeat,
		commitOffsetsIfNecessary: async (offsets: unknown) => {
			committed.push(offsets);
		},
		resolveOffset: () => {},
	};
	return { payload: payload as unknown as EachBatchPayload, committed };
}

function handlerOf(onBatch: () => Promise<void>) {
	const closing = new AbortController();
	const handle = handleBatches({
		group: "group",
		onBatch,
		log: silentLog,
		heartbeatMs: 5,
		signal: closing.signal,
		onFailure: () => {},
	});
	return { handle, closing };
}

const refuse = () => Promise.reject(new Error("refused"));

test("a batch leaves nothing behind at the signal that outlives it", async () => {
	const { handle, closing } = handlerOf(async () => {});
	const { payload, committed } = fetched(async () => {});
	await handle(payload);
	expect(committed).toEqual([
		{
			topics: [{ topic: TOPIC, partitions: [{ partition: 0, offset: "8" }] }],
		},
	]);
	expect(getEventListeners(closing.signal, "abort")).toEqual([]);
});

test("a refused batch is given up when the subscription closes, and not committed", async () => {
	const { handle, closing } = handlerOf(() => {
		closing.abort();
		return refuse();
	});
	const { payload, committed } = fetched(async () => {});
	await handle(payload);
	expect(committed).toEqual([]);
});

test("a refused batch is given up when the membership is lost, and the group joined anew", async () => {
	const { handle } = handlerOf(refuse);
	const { payload, committed } = fetched(() =>
		Promise.reject(new Error("rebalancing")),
	);
	await expect(handle(payload)).rejects.toThrow("rebalancing");
	expect(committed).toEqual([]);
});
