import { randomUUID } from "node:crypto";
import type { Db } from "../../database/database.ts";
import type { Logger } from "../../runtime/log.ts";
import { type Loop, pause, runLoop } from "../../runtime/loop.ts";
import { runSingleton } from "../../work/singleton.ts";
import { deliver } from "../deliver.ts";
import type { BusEvent, SubscribeOptions } from "../event-bus.ts";
import {
	deleteGroup,
	type GroupRegistration,
	registerGroup,
} from "./groups.ts";
import { deleteRecords, findRecords } from "./records.ts";

export interface PostgresSubscription {
	readonly topics: ReadonlySet<string>;
	/** Looks for events now. */
	wake(): void;
	/** Renews an ephemeral group, also one that was swept while this process stood still. */
	beat(): Promise<void>;
	close(): Promise<void>;
}

export interface PostgresSubscriptionContext {
	readonly sql: Db;
	readonly log: Logger;
	/** Ends when the bus closes. */
	readonly signal: AbortSignal;
}

interface Claiming {
	readonly sql: Db;
	readonly log: Logger;
	readonly group: string;
	readonly topics: readonly string[];
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
}

/** Pause after a look that found nothing, ms: an event of another process is found this late. */
const POLL_MS = 50;
const RETRY_PAUSE_MS = 1_000;

/** Registers the group and begins to claim for it; tries again while the database cannot be reached. */
export async function subscribeInPostgres(
	context: PostgresSubscriptionContext,
	options: SubscribeOptions,
): Promise<PostgresSubscription> {
	const { sql, log } = context;
	const ephemeral = options.ephemeral === true;
	const registration = {
		group: ephemeral ? `${options.group}.${randomUUID()}` : options.group,
		topics: options.topics,
		ephemeral,
	};
	await untilRegistered(context, registration);
	const closing = new AbortController();
	const claims = claim(
		{ sql, log, ...registration, onBatch: options.onBatch },
		ephemeral,
		AbortSignal.any([context.signal, closing.signal]),
	);
	return {
		topics: new Set(options.topics),
		wake: claims.wake,
		beat: async () => {
			if (ephemeral) await registerGroup(sql, registration);
		},
		close: async () => {
			closing.abort();
			await claims.done;
			if (ephemeral) await deleteGroup(sql, registration.group);
		},
	};
}

async function untilRegistered(
	{ sql, log, signal }: PostgresSubscriptionContext,
	registration: GroupRegistration,
): Promise<void> {
	while (!signal.aborted) {
		try {
			return await registerGroup(sql, registration);
		} catch (error) {
			log.warn({ err: error }, "event bus not reached; it will be tried again");
			await pause(RETRY_PAUSE_MS, signal);
		}
	}
	throw new Error("The event bus was closed.");
}

/**
 * One member of a durable group claims at a time, the others wait for its lock: that keeps the
 * order of a key. An ephemeral group has one member only.
 */
function claim(
	claiming: Claiming,
	ephemeral: boolean,
	signal: AbortSignal,
): Loop {
	if (ephemeral) return startClaims(claiming, signal);
	let claims: Loop | undefined;
	const done = runSingleton({
		sql: claiming.sql,
		name: `bus.group.${claiming.group}`,
		signal,
		log: claiming.log,
		whileHeld: async (signal) => {
			claims = startClaims(claiming, signal);
			await claims.done;
			claims = undefined;
		},
	});
	return { wake: () => claims?.wake(), done };
}

function startClaims(claiming: Claiming, signal: AbortSignal): Loop {
	return runLoop({
		name: "event-bus.claim",
		intervalMs: POLL_MS,
		signal,
		log: claiming.log,
		runOnce: () => claimOnce(claiming, signal),
	});
}

/** A crash between the delivery and the delete delivers again. */
async function claimOnce(
	{ sql, log, group, topics, onBatch }: Claiming,
	signal: AbortSignal,
): Promise<number> {
	const records = await findRecords(sql, group, topics);
	if (records.length === 0) return 0;
	const events = records.map(({ event }) => event);
	if (!(await deliver({ group, events, onBatch, signal, log }))) return 0;
	await deleteRecords(
		sql,
		records.map(({ position }) => position),
	);
	return records.length;
}
