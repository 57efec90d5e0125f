import { isIPv6, type Socket } from "node:net";
import { type Dispatcher, Pool } from "undici";
import { AddressRefused } from "./address-guard.ts";

/** Longest for a connection to the proxy, ms: an attempt lasts longer, so its end is not taken for a receiver's. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The proxy of the deployment does not respond, or does not let us through: no receiver's fault. */
export class EgressFailed extends Error {
	override readonly name = "EgressFailed";
}

/** The deployment's way out: an HTTP proxy that opens tunnels. */
export interface EgressProxy {
	/** Returns a connection to the first address that the proxy reaches. */
	tunnel(addresses: readonly string[], port: number): Promise<Socket>;
	close(): Promise<void>;
}

/** The proxy is told addresses, never names: it cannot be led elsewhere than where the guard has looked. */
export function createEgressProxy(url: string, timeoutMs: number): EgressProxy {
	const pool = new Pool(new URL(url).origin, {
		connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs / 2) },
	});
	const login = loginHeaders(new URL(url));
	return {
		tunnel: async (addresses, port) => {
			const signal = AbortSignal.timeout(timeoutMs);
			let refusal: unknown;
			for (const address of addresses) {
				const host = isIPv6(address) ? `[${address}]` : address;
				const path = `${host}:${port}`;
				const headers = { ...login, host: path };
				try {
					return await open(pool, { path, headers, signal });
				} catch (error) {
					refusal = error;
				}
			}
			throw refusal;
		},
		close: () => pool.destroy(),
	};
}

async function open(
	pool: Pool,
	request: Omit<Dispatcher.ConnectOptions, "origin">,
): Promise<Socket> {
	const response = await pool.connect(request).catch((cause: unknown) => {
		throw new EgressFailed("The egress proxy does not respond.", { cause });
	});
	const { statusCode, socket } = response;
	if (statusCode === 200) return socket as Socket;
	socket.on("error", () => {}).destroy();
	throw toRefusal(statusCode);
}

function loginHeaders({ username, password }: URL): Record<string, string> {
	if (username === "") return {};
	const login = [username, password].map(decodeURIComponent).join(":");
	const token = Buffer.from(login).toString("base64");
	return { "proxy-authorization": `Basic ${token}` };
}

function toRefusal(status: number): Error {
	if (status === 403) return new AddressRefused("address_not_allowed");
	return status >= 500
		? new Error(`The egress proxy did not reach the receiver: ${status}.`)
		: new EgressFailed(`The egress proxy refused: ${status}.`);
}
