import { clientNetwork } from "../domain/client-address.ts";
import type { FailureLimiter } from "./failure-limiter.ts";

/** Bounds what the provider's callbacks, which anybody can pretend to send, take of the gateway. */
export interface CallbackLimiter {
	/** A callback whose body is to come, undefined while the calls of its address are all taken. */
	admit(address: string | undefined): CallbackSlot | undefined;
}

export interface CallbackSlot {
	/** Takes room for bytes of the body that came in; false when there is none. */
	takeBytes(bytes: number): boolean;
	/** Takes a call, once the body is there; false when none is free. */
	takeCall(): boolean;
	/** Tells that the callback was forged, or its body left unfinished. */
	recordForgery(): void;
	/** Frees what was taken; more than once changes nothing. */
	release(): void;
}

/** What is under way at a time. */
interface Load {
	readonly calls: number;
	readonly bytes: number;
}

const MEBIBYTE = 1_048_576;
const ALL: Load = { calls: 192, bytes: 64 * MEBIBYTE };
/** Of one address (IPv6: one /64). */
const EACH: Load = { calls: 64, bytes: 16 * MEBIBYTE };
/** Of one that has forged callbacks: few, for behind a proxy genuine ones may come from the same address. */
const FORGER: Load = { calls: 4, bytes: 4 * MEBIBYTE };

const NOTHING: Load = { calls: 0, bytes: 0 };
const ONE_CALL: Load = { calls: 1, bytes: 0 };

export function createCallbackLimiter(
	forgeries: FailureLimiter,
): CallbackLimiter {
	let all = NOTHING;
	const byNetwork = new Map<string, Load>();

	function mayAdd(address: string | undefined, load: Load): boolean {
		const own = byNetwork.get(clientNetwork(address)) ?? NOTHING;
		const isForger = forgeries.blockedForMs(address) > 0;
		const ownLimit = isForger ? FORGER : EACH;
		return fits(sum(all, load), ALL) && fits(sum(own, load), ownLimit);
	}

	function add(address: string | undefined, load: Load): void {
		const network = clientNetwork(address);
		const own = sum(byNetwork.get(network) ?? NOTHING, load);
		all = sum(all, load);
		if (own.calls === 0 && own.bytes === 0) byNetwork.delete(network);
		else byNetwork.set(network, own);
	}

	function openSlot(address: string | undefined): CallbackSlot {
		let occupied = NOTHING;
		const take = (load: Load) => {
			if (!mayAdd(address, load)) return false;
			add(address, load);
			occupied = sum(occupied, load);
			return true;
		};
		return {
			takeBytes: (bytes) => take({ calls: 0, bytes }),
			takeCall: () => take(ONE_CALL),
			recordForgery: () => forgeries.recordFailure(address),
			release: () => {
				add(address, { calls: -occupied.calls, bytes: -occupied.bytes });
				occupied = NOTHING;
			},
		};
	}

	return {
		admit: (address) =>
			mayAdd(address, ONE_CALL) ? openSlot(address) : undefined,
	};
}

function fits(load: Load, limit: Load): boolean {
	return load.calls <= limit.calls && load.bytes <= limit.bytes;
}

function sum(one: Load, other: Load): Load {
	return {
		calls: one.calls + other.calls,
		bytes: one.bytes + other.bytes,
	};
}
