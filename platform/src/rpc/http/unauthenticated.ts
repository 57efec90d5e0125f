import type { Socket } from "node:net";
import { createAllowances } from "../../runtime/allowances.ts";

/**
 * Connections of which no call had a valid token, nor a client certificate. They are few, and those that wait for
 * nothing are ended: nobody who is let in later finds the port closed.
 */
export interface Strangers {
	/** Takes a new connection in, and ends the oldest one in its place when there are too many; else ends the new one. */
	add(socket: Socket): void;
	/** The connection has shown who it is. */
	know(peer: Peer): void;
	/** Calls back once the connection has shown who it is, at once where it has. */
	whenKnown(peer: Peer, onKnown: () => void): void;
	/** A call of the connection begins. */
	begin(peer: Peer): Admission;
}

/**
 * `known`: of no stranger; `later`: too many are under way; `never`: too many were begun, and the connection is
 * ended.
 */
export type Admission =
	| { readonly kind: "known" | "later" | "never" }
	| { readonly kind: "stranger"; readonly end: () => void };

/** How a connection is told from others; over TLS its two sockets have the same. */
export type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

interface Stranger {
	readonly socket: Socket;
	readonly address: string;
	readonly cameAt: number;
	onKnown: () => void;
	/** When a call was last under way, by a monotonic clock. */
	idleSince: number;
	calls: number;
}

/** Of all addresses, and of one. */
const MAX_STRANGERS = 256;
const MAX_OF_AN_ADDRESS = 64;
/** Without a call under way, ms. */
const MAX_IDLE_MS = 10_000;
/** A connection has so long to show who it is before it may have to go for another, ms. */
const SAFE_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;
/** Calls that the strangers of an address may begin at once, and each second after that: reset or not, each costs. */
const CALL_BURST = 200;
const CALLS_PER_S = 50;
/**
 * Connections that one address may open at once, and each second after that, without showing who it is. What one
 * sends at first is read as a whole: some hundred streams that are reset before any of them can be refused.
 */
const CONNECTION_BURST = 8;
const CONNECTIONS_PER_S = 20;
/**
 * Calls of one stranger under way, which its client is told: it holds the others back until one is let in. All that
 * {@link CONNECTION_BURST} connections may begin so is less than {@link CALL_BURST}.
 */
export const MAX_CALLS_OF_STRANGER = 16;

/** @param now a clock that never goes back, ms */
export function createStrangers(now = () => performance.now()): Strangers {
	/** In the order in which they came. */
	const strangers = new Map<string, Stranger>();
	const perAddress = new Map<string, number>();
	/** Until they are closed: what has been read of them already still comes. */
	const ended = new Set<string>();
	const connections = createAllowances({
		burst: CONNECTION_BURST,
		perSecond: CONNECTIONS_PER_S,
		now,
	});
	const calls = createAllowances({
		burst: CALL_BURST,
		perSecond: CALLS_PER_S,
		now,
	});

	function remove(key: string): void {
		const stranger = strangers.get(key);
		if (stranger === undefined) return;
		strangers.delete(key);
		const left = (perAddress.get(stranger.address) ?? 1) - 1;
		if (left > 0) perAddress.set(stranger.address, left);
		else perAddress.delete(stranger.address);
	}

	function end(key: string, socket: Socket): void {
		remove(key);
		ended.add(key);
		socket.destroy();
	}

	/** False when the oldest has only just come. */
	function endOldest(isOf: (stranger: Stranger) => boolean): boolean {
		for (const [key, stranger] of strangers) {
			if (!isOf(stranger)) continue;
			if (now() - stranger.cameAt < SAFE_MS) return false;
			end(key, stranger.socket);
			return true;
		}
		return true;
	}

	function endOneBefore(address: string): boolean {
		if ((perAddress.get(address) ?? 0) >= MAX_OF_AN_ADDRESS)
			return endOldest((stranger) => stranger.address === address);
		return strangers.size < MAX_STRANGERS || endOldest(() => true);
	}

	setInterval(() => {
		for (const [key, { socket, calls, idleSince }] of strangers) {
			if (calls > 0 || now() - idleSince < MAX_IDLE_MS) continue;
			end(key, socket);
		}
	}, SWEEP_EVERY_MS).unref();

	return {
		add(socket) {
			const key = keyOf(socket);
			const address = socket.remoteAddress ?? "";
			if (connections.take(address) > 0 || !endOneBefore(address)) {
				socket.destroy();
				return;
			}
			perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
			const at = now();
			strangers.set(key, {
				socket,
				address,
				cameAt: at,
				idleSince: at,
				calls: 0,
				onKnown: () => undefined,
			});
			socket.once("close", () => {
				ended.delete(key);
				if (strangers.get(key)?.socket === socket) remove(key);
			});
		},
		know(peer) {
			const key = keyOf(peer);
			const stranger = strangers.get(key);
			if (stranger === undefined) return;
			remove(key);
			stranger.onKnown();
			connections.giveBack(stranger.address);
		},
		whenKnown(peer, onKnown) {
			const stranger = strangers.get(keyOf(peer));
			if (stranger === undefined) onKnown();
			else stranger.onKnown = onKnown;
		},
		begin(peer) {
			const key = keyOf(peer);
			if (ended.has(key)) return { kind: "never" };
			const stranger = strangers.get(key);
			if (stranger === undefined) return { kind: "known" };
			if (calls.take(stranger.address) > 0) {
				end(key, stranger.socket);
				return { kind: "never" };
			}
			if (stranger.calls >= MAX_CALLS_OF_STRANGER) return { kind: "later" };
			stranger.calls++;
			const onEnd = () => {
				stranger.calls--;
				stranger.idleSince = now();
			};
			return { kind: "stranger", end: onEnd };
		},
	};
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
	return `${remoteAddress} ${remotePort}`;
}
