import type { Db } from "../database/database.ts";
import { uuidv7 } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/loop.ts";

export interface SingletonOptions {
	readonly sql: Db;
	readonly name: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** How long a holder without a heartbeat keeps the work, ms; default 10,000. */
	readonly leaseMs?: number;
	/** Runs while the lease is held; its signal ends when the lease is lost or the service stops. */
	readonly whileHeld: (signal: AbortSignal) => Promise<void>;
}

const DEFAULT_LEASE_MS = 10_000;
/** How often the holder renews its lease, and others ask for it, within its length. */
const BEATS_PER_LEASE = 5;

/**
 * Runs work in one process per schema at a time. A dead, cut off or frozen holder is replaced within 1.2 leases; a
 * holder ends its work by its monotonic clock before. The statement that a frozen one was in must be harmless.
 */
export async function runSingleton(options: SingletonOptions): Promise<void> {
	const { signal, leaseMs = DEFAULT_LEASE_MS } = options;
	while (!signal.aborted) {
		try {
			await holdOnce(options, leaseMs);
		} catch (error) {
			options.log.warn({ err: error, singleton: options.name }, "lease lost");
		}
		await pause(leaseMs / BEATS_PER_LEASE, signal);
	}
}

async function holdOnce(
	{ sql, name, signal, whileHeld }: SingletonOptions,
	leaseMs: number,
): Promise<void> {
	const token = uuidv7();
	const askedAt = performance.now();
	if (!(await acquire(sql, name, token, leaseMs))) return;
	const lost = new AbortController();
	const held = AbortSignal.any([signal, lost.signal]);
	const heartbeat = renewWhileHeld(() => renew(sql, name, token, leaseMs), {
		askedAt,
		leaseMs,
		lost,
		held,
	});
	try {
		await whileHeld(held);
	} finally {
		lost.abort();
		await heartbeat;
		await release(sql, name, token);
	}
}

interface Holding {
	/** When the lease was asked for, a time of `performance.now()`. */
	readonly askedAt: number;
	readonly leaseMs: number;
	readonly lost: AbortController;
	readonly held: AbortSignal;
}

async function renewWhileHeld(
	renew: () => Promise<boolean>,
	{ askedAt, leaseMs, lost, held }: Holding,
): Promise<void> {
	const beatMs = leaseMs / BEATS_PER_LEASE;
	const endAt = (time: number) =>
		setTimeout(() => lost.abort(), time - performance.now());
	let expiry = endAt(askedAt + leaseMs);
	while (!held.aborted) {
		await pause(beatMs, held);
		if (held.aborted) break;
		const beatAt = performance.now();
		// A renewal without a response is tried again; the expiry goes on meanwhile.
		const isOurs = await Promise.race([
			renew().catch(() => undefined),
			pause(beatMs, held).then(() => undefined),
		]);
		if (isOurs === false) lost.abort();
		if (isOurs !== true) continue;
		clearTimeout(expiry);
		expiry = endAt(beatAt + leaseMs);
	}
	clearTimeout(expiry);
}

async function acquire(
	sql: Db,
	name: string,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const taken = await sql`
		insert into singletons as held (name, token, lease_until)
		values (${name}, ${token}, now() + ${leaseMs} * interval '1 millisecond')
		on conflict (name) do update
		set token = excluded.token, lease_until = excluded.lease_until
		where held.lease_until < now()
	`;
	return taken.count === 1;
}

async function renew(
	sql: Db,
	name: string,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const renewed = await sql`
		update singletons
		set lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where name = ${name}
		and token = ${token}
	`;
	return renewed.count === 1;
}

async function release(sql: Db, name: string, token: string): Promise<void> {
	await sql`
		delete from singletons
		where name = ${name}
		and token = ${token}
	`;
}
