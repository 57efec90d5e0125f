import type { Db } from "../../database/database.ts";
import { createRepeatedTrouble, type Logger } from "../../runtime/log.ts";
import { type Loop, runLoop } from "../../runtime/loop.ts";
import { pause } from "../../runtime/waiting.ts";
import { runSingleton } from "../../work/singleton.ts";
import { deliver } from "../deliver.ts";
import type { SubscribeOptions } from "../event-bus.ts";
import {
	findPlaces,
	insertPlaces,
	movePlaces,
	type Places,
} from "./group-places.ts";
import { findEnd, findEvents } from "./log.ts";

export interface PostgresSubscription {
	readonly topics: ReadonlySet<string>;
	wake(): void;
	close(): Promise<void>;
}

export interface PostgresSubscriptionContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly signal: AbortSignal;
}

interface Reading extends PostgresSubscriptionContext {
	readonly options: SubscribeOptions;
	readonly signal: AbortSignal;
}

/** Pause after a look that found nothing, ms: an event of another process is found this late. */
const POLL_MS = 50;
const RETRY_PAUSE_MS = 1_000;

/** Gives the group its place and begins to read; tries again while the database cannot be reached. */
export async function subscribeInPostgres(
	context: PostgresSubscriptionContext,
	options: SubscribeOptions,
): Promise<PostgresSubscription> {
	const start = await untilInPlace(context, options);
	const closing = new AbortController();
	const signal = AbortSignal.any([context.signal, closing.signal]);
	const reading = { ...context, options, signal };
	const reads =
		options.ephemeral === true
			? startReads(reading, start)
			: readInTurn(reading);
	return {
		topics: new Set(options.topics),
		wake: reads.wake,
		close: async () => {
			closing.abort();
			await reads.done;
		},
	};
}

/** Returns where an ephemeral group begins; a durable one's place is stored. */
async function untilInPlace(
	{ sql, log, signal }: PostgresSubscriptionContext,
	{ group, topics, ephemeral }: SubscribeOptions,
): Promise<Places> {
	const trouble = createRepeatedTrouble(log);
	while (!signal.aborted) {
		try {
			const places =
				ephemeral === true ? await findEnd(sql, topics) : new Map();
			if (ephemeral !== true) await insertPlaces(sql, group, topics);
			trouble.over("event bus reached again");
			return places;
		} catch (err) {
			trouble.tell(
				"warn",
				{ err },
				"event bus not reached; it will be tried again",
			);
			await pause(RETRY_PAUSE_MS, signal);
		}
	}
	throw new Error("The event bus was closed.");
}

/** One member of a durable group reads at a time, the others wait for their turn: that keeps the order of a key. */
function readInTurn(reading: Reading): Loop {
	const { sql, log, signal, options } = reading;
	let reads: Loop | undefined;
	const done = runSingleton({
		sql,
		log,
		signal,
		name: `bus.group.${options.group}`,
		whileHeld: async (signal) => {
			const places = await findPlaces(sql, options.group, options.topics);
			reads = startReads({ ...reading, signal }, places);
			await reads.done;
			reads = undefined;
		},
	});
	return { wake: () => reads?.wake(), done };
}

function startReads(reading: Reading, start: Places): Loop {
	const { signal, log } = reading;
	let places = start;
	return runLoop({
		name: "event-bus.read",
		intervalMs: POLL_MS,
		signal,
		log,
		runOnce: async () => {
			const next = await readOnce(reading, places);
			if (next === undefined) return 0;
			places = next;
			return 1;
		},
	});
}

/** A crash before the places are stored delivers again. */
async function readOnce(
	{ sql, log, signal, options }: Reading,
	places: Places,
): Promise<Places | undefined> {
	const { group, topics, onBatch, ephemeral } = options;
	const found = await findEvents(sql, places);
	const last = found.at(-1);
	if (last === undefined) return undefined;
	const events = found.map(({ event }) => event);
	if (!(await deliver({ group, events, onBatch, signal, log })))
		return undefined;
	const next = new Map(topics.map((topic) => [topic, last.position]));
	if (ephemeral !== true) await movePlaces(sql, group, next);
	return next;
}
