import type { Admin } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { createMetrics } from "../../runtime/metrics.ts";
import { eventually } from "../../testing/eventually.ts";
import { silentLog } from "../../testing/log.ts";
import type { PartitionOffset } from "./offsets.ts";
import { type KafkaWatchdog, startKafkaWatchdog } from "./watchdog.ts";

const TOPIC = "a.v1";
const END = 1_000;
const PARTITIONS = [0, 1, 2];
/** Many times the looks after which a member that stands still is ended. */
const LONG = 40;

/** A watchdog over partitions with a backlog; `offsetAt` tells the group's offset at each look. */
function watch(
	offsetAt: (look: number, partition: number) => number,
	onLook: (look: number, watchdog: KafkaWatchdog) => void = () => {},
	begins: readonly PartitionOffset[] = [],
) {
	const fatal: { error: Error; look: number }[] = [];
	let look = 0;
	const admin = {
		fetchOffsets: async () => {
			onLook(++look, watchdog);
			const partitions = PARTITIONS.map((partition) => ({
				partition,
				offset: String(offsetAt(look, partition)),
			}));
			return [{ topic: TOPIC, partitions }];
		},
		fetchTopicOffsets: async () =>
			PARTITIONS.map((partition) => ({ partition, low: "0", high: `${END}` })),
	};
	const watchdog = startKafkaWatchdog({
		groupId: "group",
		group: "group",
		topics: [TOPIC],
		admin: admin as unknown as Admin,
		stallTimeoutMs: 60,
		log: silentLog,
		metrics: createMetrics("test"),
		onFatal: (error) => fatal.push({ error, look }),
	});
	onTestFinished(() => watchdog.close());
	watchdog.beginAt(begins);
	watchdog.assign({ [TOPIC]: PARTITIONS });
	return { fatal, looks: () => look };
}

test("a member that works through one partition after another is not ended before it stands still", async () => {
	const { fatal } = watch((look, partition) =>
		partition === 0 ? Math.min(look, LONG) : 0,
	);
	await eventually(() => expect(fatal).toHaveLength(1));
	expect(fatal[0]?.look).toBeGreaterThan(LONG);
	expect(fatal[0]?.error.message).toMatch(/made no progress/);
});

test("a member whose batches are refused is not ended, whatever waits behind them", async () => {
	const { fatal } = watch(
		() => 0,
		(look, watchdog) => {
			if (look <= LONG) watchdog.attempt();
		},
	);
	await eventually(() => expect(fatal).toHaveLength(1));
	expect(fatal[0]?.look).toBeGreaterThan(LONG);
});

test("a member that began behind older events is not ended for them, and is for those that come after", async () => {
	const begins = PARTITIONS.map((partition) => ({
		topic: TOPIC,
		partition,
		offset: "-1",
		end: String(END),
		lag: END,
	}));
	const without = () => -1;
	const idle = watch(without, undefined, begins);
	await eventually(() => expect(idle.looks()).toBeGreaterThan(LONG));
	expect(idle.fatal).toEqual([]);
	const earlier = begins.map((begin) => ({ ...begin, end: String(END - 1) }));
	const hanging = watch(without, undefined, earlier);
	await eventually(() => expect(hanging.fatal).toHaveLength(1));
	expect(hanging.fatal[0]?.error.message).toMatch(/1 events wait/);
});
