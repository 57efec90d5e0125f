import type { IncomingMessage, ServerResponse } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import { createAllowances } from "@airtower/platform/runtime/allowances";
import { LRUCache } from "lru-cache";
import { clientNetwork } from "../domain/client-address.ts";

/** Bounds what a client occupies here, before anybody knows who it is. */
export interface ConnectionLimits {
	/** Counts a new connection, and ends it when its address has too many. */
	readonly add: (socket: Socket) => void;
	/** False for a request beyond those that may wait for their responses: its connection is ended. */
	admit(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Requests of one connection whose responses are not read yet; clients that pipeline at all have fewer under way. */
const MAX_UNREAD = 16;
/**
 * Connections of an address that may be ended for that at once and each second; with more it gets no new ones for a
 * time, and those that it has may not pipeline.
 */
const OVERRUN_BURST = 10;
const OVERRUNS_PER_S = 1;
const SHUNNED_MS = 10_000;
const MAX_SHUNNED = 10_000;
/** Networks that the setting may name by a word. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
	loopback: ["127.0.0.0/8", "::1/128"],
	linklocal: ["169.254.0.0/16", "fe80::/10"],
	uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * @param trustedProxies addresses and networks, as the setting names them: any number of connections
 * @param perAddress connections of any other address
 */
export function createConnectionLimits(
	trustedProxies: readonly string[],
	perAddress: number,
): ConnectionLimits {
	const proxies = toBlockList(trustedProxies);
	const perNetwork = new Map<string, number>();
	const unread = new WeakMap<Socket, number>();
	const overruns = createAllowances({
		burst: OVERRUN_BURST,
		perSecond: OVERRUNS_PER_S,
	});
	const shunned = new LRUCache<string, true>({
		max: MAX_SHUNNED,
		ttl: SHUNNED_MS,
	});

	function mostUnread(socket: Socket): number {
		const network = networkOf(socket);
		return network !== undefined && shunned.has(network) ? 1 : MAX_UNREAD;
	}

	function endUnread(socket: Socket): void {
		const network = networkOf(socket);
		if (network !== undefined && overruns.take(network) > 0)
			shunned.set(network, true);
		stopParsing(socket);
		socket.destroy();
	}

	/** Undefined for a trusted proxy, behind which are many. */
	function networkOf({ remoteAddress }: Socket): string | undefined {
		if (remoteAddress === undefined || isIn(proxies, remoteAddress))
			return undefined;
		return clientNetwork(remoteAddress);
	}

	return {
		add(socket) {
			const network = networkOf(socket);
			if (network === undefined) return;
			const count = (perNetwork.get(network) ?? 0) + 1;
			if (count > perAddress || shunned.has(network)) {
				socket.destroy();
				return;
			}
			perNetwork.set(network, count);
			socket.once("close", () => {
				const left = (perNetwork.get(network) ?? 1) - 1;
				if (left > 0) perNetwork.set(network, left);
				else perNetwork.delete(network);
			});
		},
		admit({ socket }, response) {
			if (socket.destroyed) return false;
			const waiting = (unread.get(socket) ?? 0) + 1;
			if (waiting > 1 && waiting > mostUnread(socket)) {
				endUnread(socket);
				return false;
			}
			unread.set(socket, waiting);
			response.once("close", () =>
				unread.set(socket, (unread.get(socket) ?? 1) - 1),
			);
			return true;
		},
	};
}

/** What the parser is told of a request after which the bytes are no HTTP any more: it reads no further. */
const AFTER_UPGRADE = 2;

/** Of what has been read already the parser would make a request each, for nothing. */
function stopParsing(socket: Socket): void {
	const { parser } = socket as { parser?: { onIncoming: unknown } };
	if (parser) parser.onIncoming = () => AFTER_UPGRADE;
}

function toBlockList(addresses: readonly string[]): BlockList {
	const list = new BlockList();
	for (const text of addresses.flatMap((one) => NAMED[one] ?? [one])) {
		const [address = "", bits] = text.split("/");
		const family = isIPv6(address) ? "ipv6" : "ipv4";
		if (bits === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(bits), family);
	}
	return list;
}

function isIn(list: BlockList, address: string): boolean {
	const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
	return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}
