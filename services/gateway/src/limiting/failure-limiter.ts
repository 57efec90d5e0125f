import { LRUCache } from "lru-cache";
import { clientNetwork } from "../domain/client-address.ts";

/** Counts failed authentications per client address, in bounded memory. */
export interface FailureLimiter {
	/** Milliseconds until the address may fail again, 0 when it may now. */
	blockedForMs(address: string | undefined): number;
	recordFailure(address: string | undefined): void;
}

const WINDOW_MS = 60_000;
/** Addresses remembered at once; the one that failed longest ago is forgotten first. */
const MAX_ADDRESSES = 10_000;

/** Allows `limit` failures per address (IPv6: per /64) and minute. */
export function createFailureLimiter(
	limit: number,
	monotonicMs: () => number,
): FailureLimiter {
	const failures = new LRUCache<string, number>({
		max: MAX_ADDRESSES,
		ttl: WINDOW_MS,
		noUpdateTTL: true,
		perf: { now: monotonicMs },
		ttlResolution: 0,
	});

	return {
		blockedForMs: (address) => {
			const network = clientNetwork(address);
			return (failures.peek(network) ?? 0) < limit
				? 0
				: failures.getRemainingTTL(network);
		},
		recordFailure: (address) => {
			const network = clientNetwork(address);
			// `get` drops a count whose minute is over; `set` alone would keep the end of that minute.
			failures.set(network, (failures.get(network) ?? 0) + 1);
		},
	};
}
