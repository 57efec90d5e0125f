import type { Admin } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { runLoop } from "../../runtime/loop.ts";
import type { Metrics } from "../../runtime/metrics.ts";
import type { RecordPlace } from "./record.ts";

export interface KafkaWatchdogOptions {
	readonly admin: Admin;
	readonly groupId: string;
	/** Name of the group in the metrics. */
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
	/** A refused batch is a sign of life: the reason is known, and a restart would not help. */
	attempt(): void;
	close(): Promise<void>;
}

interface PartitionState extends RecordPlace {
	/** The group's next offset. */
	readonly offset: string;
	readonly lag: number;
}

/** Looks within one stall time-out. Looks are counted, not time: a process that was stopped is not stalled. */
const CHECKS = 6;

/**
 * Ends a member that hangs: when one of its partitions has waiting events and the offset of none of them
 * moves for the time-out, `onFatal` is called. One partition alone may stand still for long: a member with
 * a backlog works through what it has fetched of the others first. A broker that does not answer stops the
 * count.
 */
export function startKafkaWatchdog(
	options: KafkaWatchdogOptions,
): KafkaWatchdog {
	const closing = new AbortController();
	const lagGauge = options.metrics.gauge(
		"event_bus_lag",
		"Events that wait for this member.",
		["group"],
	);
	const stalls = createStallCounter();
	let assignment: Assignment | undefined;
	let joining = false;

	async function look(): Promise<number> {
		if (!joining) return 0;
		const states = await findStates(options).catch((error) => {
			options.log.debug({ err: error }, "lag unknown");
			return [];
		});
		const own = states.filter((state) => isOwn(state, assignment));
		lagGauge.set(
			{ group: options.group },
			own.reduce((sum, { lag }) => sum + lag, 0),
		);
		const stalled = stalls.count(own);
		if (stalled !== undefined && !closing.signal.aborted)
			options.onFatal(stallError(options, stalled));
		return 0;
	}

	const loop = runLoop({
		name: "event-bus.watchdog",
		intervalMs: options.stallTimeoutMs / CHECKS,
		signal: closing.signal,
		log: options.log,
		runOnce: look,
	});
	return {
		assign: (next) => {
			joining = true;
			assignment = next;
		},
		attempt: stalls.forget,
		close: async () => {
			closing.abort();
			await loop.done;
		},
	};
}

function isOwn(
	{ topic, partition }: RecordPlace,
	assignment: Assignment | undefined,
): boolean {
	return (
		assignment === undefined || assignment[topic]?.includes(partition) === true
	);
}

function stallError(
	{ groupId, stallTimeoutMs }: KafkaWatchdogOptions,
	{ topic, partition, lag }: PartitionState,
): Error {
	return new Error(
		`Consumer group ${groupId} made no progress on ${topic}/${partition} for ${stallTimeoutMs} ms with ${lag} events waiting.`,
	);
}

/** Counts the looks in a row at which something waited and nothing had moved. */
function createStallCounter() {
	let offsets = new Map<string, string>();
	let looks = -1;
	const keyOf = ({ topic, partition }: RecordPlace) => `${topic}/${partition}`;
	const hasMoved = (state: PartitionState) =>
		(offsets.get(keyOf(state)) ?? state.offset) !== state.offset;
	return {
		forget: () => {
			looks = -1;
		},
		/** Answers a partition that waits when this is the last look of a stall time-out. */
		count: (states: readonly PartitionState[]): PartitionState | undefined => {
			const waiting = states.find(({ lag }) => lag > 0);
			if (waiting === undefined) looks = -1;
			else if (states.some(hasMoved)) looks = 0;
			else looks++;
			offsets = new Map(states.map((state) => [keyOf(state), state.offset]));
			return looks === CHECKS ? waiting : undefined;
		},
	};
}

async function findStates({
	admin,
	groupId,
	topics,
}: KafkaWatchdogOptions): Promise<PartitionState[]> {
	const places = await admin.fetchOffsets({ groupId, topics: [...topics] });
	const states = await Promise.all(
		places.map(async ({ topic, partitions }) => {
			const ends = await admin.fetchTopicOffsets(topic);
			return partitions.flatMap(({ partition, offset }) => {
				const end = ends.find((end) => end.partition === partition);
				if (end === undefined) return [];
				const next = Number(offset) < 0 ? end.low : offset;
				return [
					{ topic, partition, offset, lag: Number(end.high) - Number(next) },
				];
			});
		}),
	);
	return states.flat();
}
