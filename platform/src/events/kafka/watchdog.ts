import type { Admin } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { runLoop } from "../../runtime/loop.ts";
import type { Metrics } from "../../runtime/metrics.ts";
import { findOffsets, type PartitionOffset } from "./offsets.ts";

interface KafkaWatchdogOptions {
	readonly admin: Admin;
	readonly groupId: string;
	readonly group: string;
	readonly topics: readonly string[];
	readonly stallTimeoutMs: number;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly onFatal: (error: Error) => void;
}

type Assignment = Readonly<Record<string, readonly number[]>>;

export interface KafkaWatchdog {
	/** The partitions of this member; undefined while it is not in the group, when all count as its own. */
	assign(assignment: Assignment | undefined): void;
	/** Where a group begins that does not want what came before: at these offsets' ends. */
	beginAt(offsets: readonly PartitionOffset[]): void;
	/** A refused batch is a sign of life: the reason is known, and a restart would not help. */
	attempt(): void;
	close(): Promise<void>;
}

/** Ends a member that hangs: events wait, and no offset of its partitions moves for the time-out. */
export function startKafkaWatchdog(
	options: KafkaWatchdogOptions,
): KafkaWatchdog {
	const { admin, groupId, group, topics, stallTimeoutMs, log } = options;
	const closing = new AbortController();
	const lagGauge = options.metrics.gauge(
		"event_bus_lag",
		"Events that wait for this member.",
		["group"],
	);
	const stalls = createStallCounter();
	let assignment: Assignment | undefined;
	let begins: readonly PartitionOffset[] = [];
	let joining = false;

	async function look(): Promise<number> {
		if (!joining) return 0;
		const offsets = await findOffsets(admin, groupId, topics, begins).catch(
			(err) => {
				log.debug({ err }, "lag unknown");
				return [];
			},
		);
		const own = offsets.filter(
			({ topic, partition }) =>
				assignment === undefined || assignment[topic]?.includes(partition),
		);
		lagGauge.set(
			{ group },
			own.reduce((sum, { lag }) => sum + lag, 0),
		);
		const stalled = stalls.count(own);
		if (stalled !== undefined && !closing.signal.aborted)
			options.onFatal(stallError(options, stalled));
		return 0;
	}

	const loop = runLoop({
		name: "event-bus.watchdog",
		intervalMs: stallTimeoutMs / CHECKS,
		signal: closing.signal,
		log,
		runOnce: look,
	});
	return {
		assign: (next) => {
			joining = true;
			assignment = next;
		},
		beginAt: (offsets) => {
			begins = offsets;
		},
		attempt: stalls.reset,
		close: async () => {
			closing.abort();
			await loop.done;
		},
	};
}

function stallError(
	{ groupId, stallTimeoutMs }: KafkaWatchdogOptions,
	{ topic, partition, lag }: PartitionOffset,
): Error {
	return new Error(
		`Consumer group ${groupId} made no progress on ${topic}/${partition} for ${stallTimeoutMs} ms: ${lag} events wait.`,
	);
}

/** Looks are counted, not time: a process that was stopped is not stalled. */
const CHECKS = 6;

const nameOf = ({ topic, partition }: PartitionOffset) =>
	`${topic}/${partition}`;

/** Counts the looks in a row at which events waited and no offset had moved. */
function createStallCounter() {
	let committed = new Map<string, string>();
	let looks = -1;
	const hasMoved = (partition: PartitionOffset) =>
		(committed.get(nameOf(partition)) ?? partition.offset) !== partition.offset;
	return {
		reset: () => {
			looks = -1;
		},
		count: (
			partitions: readonly PartitionOffset[],
		): PartitionOffset | undefined => {
			const waiting = partitions.find(({ lag }) => lag > 0);
			if (waiting === undefined) looks = -1;
			else if (partitions.some(hasMoved)) looks = 0;
			else looks++;
			committed = new Map(partitions.map((one) => [nameOf(one), one.offset]));
			return looks === CHECKS ? waiting : undefined;
		},
	};
}
