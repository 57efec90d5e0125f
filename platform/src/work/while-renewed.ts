import { pause } from "../runtime/waiting.ts";

interface Renewal {
	readonly leaseMs: number;
	/** When the lease was asked for, a time of `performance.now()`. */
	readonly askedAt: number;
	readonly signal: AbortSignal;
	/** Returns false when somebody else has the lease. */
	readonly renew: () => Promise<boolean>;
}

/** How often the holder renews its lease, and others ask for it, within its length. */
export const BEATS_PER_LEASE = 10;

/**
 * Runs work under a lease that is renewed meanwhile. The work's signal is aborted once the lease has passed to somebody
 * else, or has ended by this process's monotonic clock, which is before anybody else may begin.
 */
export async function whileRenewed<T>(
	renewal: Renewal,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const lost = new AbortController();
	const owning = AbortSignal.any([renewal.signal, lost.signal]);
	const heartbeat = renewUntilLost(renewal, lost, owning);
	try {
		return await work(owning);
	} finally {
		lost.abort();
		await heartbeat;
	}
}

async function renewUntilLost(
	{ leaseMs, askedAt, renew }: Renewal,
	lost: AbortController,
	owning: AbortSignal,
): Promise<void> {
	const beatMs = leaseMs / BEATS_PER_LEASE;
	const endAt = (time: number) =>
		setTimeout(() => lost.abort(), time - performance.now());
	let expiry = endAt(askedAt + leaseMs);
	while (!owning.aborted) {
		await pause(beatMs, owning);
		if (owning.aborted) break;
		const beatAt = performance.now();
		const isOurs = await Promise.race([
			renew().catch(() => undefined),
			pause(beatMs, owning).then(() => undefined),
		]);
		if (isOurs === false) lost.abort();
		if (isOurs !== true) continue;
		clearTimeout(expiry);
		expiry = endAt(beatAt + leaseMs);
	}
	clearTimeout(expiry);
}
