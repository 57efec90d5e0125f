import { clientNetwork } from "../domain/client-address.ts";
import type { FailureLimiter } from "./failure-limiter.ts";

/** Admits the provider's callbacks, which anybody can pretend to send, before their bodies are read. */
export interface CallbackLimiter {
	/** The place of a callback of at most so many bytes, undefined when none is free for its address. */
	admit(address: string | undefined, bytes: number): CallbackPlace | undefined;
}

export interface CallbackPlace {
	/** Tells that the callback was forged. */
	recordForgery(): void;
	/** Frees the place; more than once changes nothing. */
	release(): void;
}

/** What is under way at a time. */
export interface CallbackLimits {
	readonly calls: number;
	readonly bytes: number;
}

interface Load {
	calls: number;
	bytes: number;
}

const MEBIBYTE = 1_048_576;
const ALL: CallbackLimits = { calls: 192, bytes: 64 * MEBIBYTE };
/** Of one address (IPv6: one /64). */
const EACH: CallbackLimits = { calls: 64, bytes: 16 * MEBIBYTE };
/** Of one that has forged callbacks: few, for behind a proxy genuine ones may come from the same address. */
const FORGER: CallbackLimits = { calls: 4, bytes: 4 * MEBIBYTE };

export function createCallbackLimiter(
	forgeries: FailureLimiter,
): CallbackLimiter {
	const all: Load = { calls: 0, bytes: 0 };
	const byNetwork = new Map<string, Load>();
	return {
		admit: (address, bytes) => {
			const network = clientNetwork(address);
			const own = byNetwork.get(network) ?? { calls: 0, bytes: 0 };
			const isForger = forgeries.blockedForMs(address) > 0;
			if (!hasRoom(all, bytes, ALL)) return undefined;
			if (!hasRoom(own, bytes, isForger ? FORGER : EACH)) return undefined;
			for (const load of [all, own]) add(load, 1, bytes);
			byNetwork.set(network, own);
			let isHeld = true;
			return {
				recordForgery: () => forgeries.recordFailure(address),
				release: () => {
					if (!isHeld) return;
					isHeld = false;
					for (const load of [all, own]) add(load, -1, -bytes);
					if (own.calls === 0) byNetwork.delete(network);
				},
			};
		},
	};
}

function hasRoom(load: Load, bytes: number, limits: CallbackLimits): boolean {
	return load.calls < limits.calls && load.bytes + bytes <= limits.bytes;
}

function add(load: Load, calls: number, bytes: number): void {
	load.calls += calls;
	load.bytes += bytes;
}
