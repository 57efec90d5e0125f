import type { Db } from "../database/database.ts";
import { uuidv7 } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/waiting.ts";
import { acquire, release, renew } from "./singleton-rows.ts";

export interface SingletonOptions {
	readonly sql: Db;
	readonly name: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** How long a holder without a heartbeat keeps the work, ms; default 10,000. */
	readonly leaseMs?: number;
	readonly whileHeld: (signal: AbortSignal) => Promise<void>;
}

const DEFAULT_LEASE_MS = 10_000;
/** How often the holder renews its lease, and others ask for it, within its length. */
const BEATS_PER_LEASE = 5;

/** A dead or frozen holder is replaced within 1.2 leases. Its last statement may come late, and must be harmless. */
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
