import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/loop.ts";
import { type Db, dedicatedConnection } from "./database.ts";

export interface SingletonOptions {
	readonly sql: Db;
	/** Name of the lock within the service's schema. */
	readonly name: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** Runs while the lock is held; its signal ends when the lock is lost or the service stops. */
	readonly whileHeld: (signal: AbortSignal) => Promise<void>;
}

/** How often a waiting process asks for the lock, ms: bounds how long a dead holder stays unreplaced. */
const RETRY_MS = 1_000;
/** How often the holder checks that its connection still lives, ms, ... */
const CHECK_MS = 2_000;
/**
 * ... and the longest wait for the answer, ms. Together less than the server takes to end the session of a
 * host that it cannot reach: the old holder stops before the lock is free.
 */
const CHECK_TIMEOUT_MS = 5_000;
/** Longest wait for the lock's answer, ms: the driver's 10 s to connect are part of it. */
const ACQUIRE_TIMEOUT_MS = 15_000;

/**
 * Runs work in one process per schema at a time, by a session advisory lock on a connection of its
 * own: the lock falls with the connection, so a dead holder is replaced within a few seconds, and one whose
 * host is gone or cut off within about 15 s. A database that is silent for longer than the holder's check
 * waits costs it the lock too, and it asks again like any other. Settles when the signal ends.
 */
export async function runSingleton(options: SingletonOptions): Promise<void> {
	while (!options.signal.aborted) {
		try {
			await holdOnce(options);
		} catch (error) {
			options.log.warn({ err: error, lock: options.name }, "lock lost");
		}
		await pause(RETRY_MS, options.signal);
	}
}

async function holdOnce(options: SingletonOptions): Promise<void> {
	const connection = dedicatedConnection(options.sql);
	try {
		const session = await acquire(connection, options.name);
		if (session === undefined) return;
		const lost = new AbortController();
		const signal = AbortSignal.any([options.signal, lost.signal]);
		const watch = watchSession(connection, session, lost, signal);
		try {
			await options.whileHeld(signal);
		} finally {
			lost.abort();
			await watch;
		}
	} finally {
		await connection.end({ timeout: 1 });
	}
}

/** Answers the server process that holds the lock for us, undefined when another session has it. */
async function acquire(
	connection: Db,
	name: string,
): Promise<number | undefined> {
	const [row] = await within(
		ACQUIRE_TIMEOUT_MS,
		connection<{ held: boolean; session: number }[]>`
			select
				pg_try_advisory_lock(hashtext(current_schema()), hashtext(${name})) as held,
				pg_backend_pid() as session
		`,
	);
	return row?.held === true ? row.session : undefined;
}

/** The driver dials a lost connection again by itself, as a session without the lock: its pid tells. */
async function watchSession(
	connection: Db,
	session: number,
	lost: AbortController,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		await pause(CHECK_MS, signal);
		if (signal.aborted) return;
		const now = await currentSession(connection);
		if (now !== session) lost.abort();
	}
}

async function currentSession(connection: Db): Promise<number | undefined> {
	try {
		const [row] = await within(
			CHECK_TIMEOUT_MS,
			connection<{ session: number }[]>`select pg_backend_pid() as session`,
		);
		return row?.session;
	} catch {
		return undefined;
	}
}

/** A connection to a host that is gone stays open, and its query would wait for minutes. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		late.reject(new Error(`The database did not answer within ${ms} ms.`));
	}, ms);
	try {
		return await Promise.race([answer, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
