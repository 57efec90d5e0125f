import { type Db, type Tx, transaction } from "../database/database.ts";
import { uuidv7 } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import { type Loop, runLoop } from "../runtime/loop.ts";
import {
	deleteUnrenewed,
	insertLease,
	listOthers,
	prolongLease,
} from "./lease-rows.ts";
import { createLeaseWatch, type SeenLease } from "./lease-watch.ts";

export interface Lease {
	/** Changes when the lease was lost: rows under an earlier token belong to others by now. */
	token(): string;
	/** True while nobody else can have taken over the rows under a token, by this process's own monotonic clock. */
	covers(token: string): boolean;
	/** Prolongs the lease, or begins a new one when it was lost. */
	renew(): Promise<void>;
	/** Other processes' leases that ran out while this process watched. */
	findSilent(others: readonly SeenLease[]): SeenLease[];
}

export type TakeOver = (sql: Tx, tokens: readonly string[]) => Promise<number>;

/**
 * Length of a process's lease, ms. Others look once a second: they see its last renewal up to 1 s late and its silence
 * up to 1 s late, so its rows wait 14 s at most. A renewal may be 9 s late before the lease is lost.
 */
export const QUEUE_LEASE_MS = 12_000;
const RENEWALS_PER_LEASE = 4;
/** A renewal that fails is tried again so many times within it, and at least so often, ms. */
const TRIES_PER_LEASE = 15;
const LONGEST_BACKOFF_MS = 1_000;

export async function createLease(
	sql: Db,
	leaseMs: number,
	log: Logger,
): Promise<Lease> {
	let token = uuidv7();
	let freshUntil = performance.now() + leaseMs;
	await insertLease(sql, token, leaseMs);

	return {
		findSilent: createLeaseWatch().findSilent,
		token: () => token,
		covers: (claimedUnder) =>
			claimedUnder === token && performance.now() < freshUntil,
		async renew() {
			const askedAt = performance.now();
			if (!(await prolongLease(sql, token, leaseMs))) {
				log.warn("the lease was lost; another process has taken over");
				const fresh = uuidv7();
				await insertLease(sql, fresh, leaseMs);
				token = fresh;
			}
			freshUntil = askedAt + leaseMs;
		},
	};
}

export function keepLease(
	lease: Lease,
	leaseMs: number,
	options: { readonly log: Logger; readonly signal: AbortSignal },
): Loop {
	return runLoop({
		...options,
		name: "renew-lease",
		intervalMs: leaseMs / RENEWALS_PER_LEASE,
		maxBackoffMs: Math.min(leaseMs / TRIES_PER_LEASE, LONGEST_BACKOFF_MS),
		runOnce: async () => {
			await lease.renew();
			return 0;
		},
	});
}

/** Call this more often than a lease is long: only who has seen a lease unrenewed for that long takes it over. */
export async function rescueExpired(
	sql: Db,
	lease: Lease,
	takeOver: TakeOver,
): Promise<number> {
	const silent = lease.findSilent(await listOthers(sql, lease.token()));
	if (silent.length === 0) return 0;
	return transaction(sql, async (sql) => {
		const tokens = await deleteUnrenewed(sql, silent);
		return tokens.length === 0 ? 0 : takeOver(sql, tokens);
	});
}

export async function endLease(
	sql: Db,
	lease: Lease,
	takeOver: TakeOver,
): Promise<void> {
	const token = lease.token();
	await transaction(sql, async (sql) => {
		await sql`delete from leases where token = ${token}`;
		await takeOver(sql, [token]);
	});
}
