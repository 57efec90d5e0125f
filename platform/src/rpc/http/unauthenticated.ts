import type { Socket } from "node:net";
import { createAllowances } from "../../runtime/allowances.ts";

/**
 * Connections of which no call had a valid token, nor a client certificate. They are few, and those that wait for
 * nothing are ended: nobody who is let in later finds the port closed.
 */
export interface UnauthenticatedPeers {
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
 * `known`: the connection has shown who it is; `later`: too many calls are under way; `never`: too many were begun, and
 * the connection is ended.
 */
type Admission =
	| { readonly kind: "known" | "later" | "never" }
	| { readonly kind: "unauthenticated"; readonly end: () => void };

/** How a connection is told from others; over TLS its two sockets have the same. */
type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

interface UnauthenticatedPeer {
	readonly socket: Socket;
	readonly address: string;
	readonly cameAt: number;
	onKnown: () => void;
	/** When a call was last under way, by a monotonic clock. */
	idleSince: number;
	calls: number;
}

/** Of all addresses, and of one. */
const MAX_UNAUTHENTICATED = 256;
const MAX_OF_AN_ADDRESS = 64;
/** Without a call under way, ms. */
const MAX_IDLE_MS = 10_000;
/** A connection has so long to show who it is before it may have to go for another, ms. */
const SAFE_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;
/** Calls that those of an address may begin at once, and each second after that: reset or not, each costs. */
const CALL_BURST = 200;
const CALLS_PER_S = 50;
/**
 * Connections that one address may open at once, and each second after that, without showing who it is. What one
 * sends at first is read as a whole: some hundred streams that are reset before any of them can be refused.
 */
const CONNECTION_BURST = 8;
const CONNECTIONS_PER_S = 20;
/**
 * Calls of one connection under way, which its client is told: it delays the others until one is let in. All that
 * {@link CONNECTION_BURST} connections may begin so is less than {@link CALL_BURST}.
 */
export const MAX_UNAUTHENTICATED_CALLS = 16;

export function createUnauthenticatedPeers(): UnauthenticatedPeers {
	/** In the order in which they came. */
	const unauthenticated = new Map<string, UnauthenticatedPeer>();
	const perAddress = new Map<string, number>();
	/** Until they are closed: what has been read of them already still comes. */
	const ended = new Set<string>();
	const connections = createAllowances({
		burst: CONNECTION_BURST,
		perSecond: CONNECTIONS_PER_S,
	});
	const calls = createAllowances({
		burst: CALL_BURST,
		perSecond: CALLS_PER_S,
	});

	function remove(key: string): void {
		const entry = unauthenticated.get(key);
		if (entry === undefined) return;
		unauthenticated.delete(key);
		const left = (perAddress.get(entry.address) ?? 1) - 1;
		if (left > 0) perAddress.set(entry.address, left);
		else perAddress.delete(entry.address);
	}

	function end(key: string, socket: Socket): void {
		remove(key);
		ended.add(key);
		socket.destroy();
	}

	/** False when the oldest has only just come. */
	function endOldest(isOf: (entry: UnauthenticatedPeer) => boolean): boolean {
		for (const [key, entry] of unauthenticated) {
			if (!isOf(entry)) continue;
			if (performance.now() - entry.cameAt < SAFE_MS) return false;
			end(key, entry.socket);
			return true;
		}
		return true;
	}

	function endOneBefore(address: string): boolean {
		if ((perAddress.get(address) ?? 0) >= MAX_OF_AN_ADDRESS)
			return endOldest((entry) => entry.address === address);
		return unauthenticated.size < MAX_UNAUTHENTICATED || endOldest(() => true);
	}

	setInterval(() => {
		for (const [key, { socket, calls, idleSince }] of unauthenticated) {
			if (calls > 0 || performance.now() - idleSince < MAX_IDLE_MS) continue;
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
			const at = performance.now();
			unauthenticated.set(key, {
				socket,
				address,
				cameAt: at,
				idleSince: at,
				calls: 0,
				onKnown: () => undefined,
			});
			socket.once("close", () => {
				ended.delete(key);
				if (unauthenticated.get(key)?.socket === socket) remove(key);
			});
		},
		know(peer) {
			const key = keyOf(peer);
			const entry = unauthenticated.get(key);
			if (entry === undefined) return;
			remove(key);
			entry.onKnown();
			connections.giveBack(entry.address);
		},
		whenKnown(peer, onKnown) {
			const entry = unauthenticated.get(keyOf(peer));
			if (entry === undefined) onKnown();
			else entry.onKnown = onKnown;
		},
		begin(peer) {
			const key = keyOf(peer);
			if (ended.has(key)) return { kind: "never" };
			const entry = unauthenticated.get(key);
			if (entry === undefined) return { kind: "known" };
			if (calls.take(entry.address) > 0) {
				end(key, entry.socket);
				return { kind: "never" };
			}
			if (entry.calls >= MAX_UNAUTHENTICATED_CALLS) return { kind: "later" };
			entry.calls++;
			const onEnd = () => {
				entry.calls--;
				entry.idleSince = performance.now();
			};
			return { kind: "unauthenticated", end: onEnd };
		},
	};
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
	return `${remoteAddress} ${remotePort}`;
}
