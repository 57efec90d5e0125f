import { clientNetwork } from "../domain/client-address.ts";

/** Counts failed authentications per client address, in bounded memory. */
export interface FailureLimiter {
	/** Milliseconds until the address may fail again, 0 when it may now. */
	blockedForMs(address: string | undefined): number;
	recordFailure(address: string | undefined): void;
}

interface Failures {
	count: number;
	readonly untilMs: number;
}

const WINDOW_MS = 60_000;
/** Addresses remembered at once; the one that failed first is forgotten first. */
const MAX_ADDRESSES = 10_000;

/** `limit` failures per address (IPv6: per /64) and minute are answered, the rest is refused unread. */
export function createFailureLimiter(
	limit: number,
	nowMs: () => number,
): FailureLimiter {
	const failures = new Map<string, Failures>();

	function presentFailures(network: string): Failures | undefined {
		const entry = failures.get(network);
		if (entry === undefined || entry.untilMs > nowMs()) return entry;
		failures.delete(network);
		return undefined;
	}

	return {
		blockedForMs: (address) => {
			const entry = presentFailures(clientNetwork(address));
			return entry !== undefined && entry.count >= limit
				? entry.untilMs - nowMs()
				: 0;
		},
		recordFailure: (address) => {
			const network = clientNetwork(address);
			const entry = presentFailures(network);
			if (entry !== undefined) {
				entry.count++;
				return;
			}
			const oldest = failures.keys().next().value;
			if (failures.size >= MAX_ADDRESSES && oldest !== undefined)
				failures.delete(oldest);
			failures.set(network, { count: 1, untilMs: nowMs() + WINDOW_MS });
		},
	};
}
