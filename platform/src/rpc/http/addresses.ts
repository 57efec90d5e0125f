import { lookup } from "node:dns/promises";
import type { ClientHttp2Session } from "node:http2";
import { isIP } from "node:net";
import type { RpcTls, TlsSource } from "../tls.ts";
import { Connection, type KeepAlive } from "./connection.ts";

interface AddressesOptions {
	readonly keepAlive: KeepAlive;
	readonly tls: TlsSource | undefined;
	/** The addresses behind a name; asks the resolver by default. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** A replica that comes is called, and one that goes is not, after this time at the latest, ms. */
const LOOK_UP_EVERY_MS = 2_000;

/** The addresses behind a service's URLs, each with a connection of its own. Calls are shared evenly among them. */
export class Addresses {
	readonly #urls: readonly URL[];
	readonly #options: AddressesOptions;
	#connections = new Map<string, Connection>();
	#tls: RpcTls | undefined;
	#lookedUpAt = Number.NEGATIVE_INFINITY;
	#update: Promise<void> | undefined;
	#calls = 0;

	constructor(baseUrls: readonly string[], options: AddressesOptions) {
		this.#urls = baseUrls.map((url) => new URL(url));
		this.#options = options;
		this.#tls = options.tls?.();
	}

	/** The session for the next call. Rejects with UnseenError when its address cannot be reached. */
	async session(): Promise<ClientHttp2Session> {
		const now = performance.now();
		if (now - this.#lookedUpAt >= LOOK_UP_EVERY_MS) {
			this.#lookedUpAt = now;
			this.#update = this.#lookUp();
		}
		// Only the first calls wait for a look-up; later ones go on beside it.
		if (this.#connections.size === 0) await this.#update;
		return this.#next().session();
	}

	async #lookUp(): Promise<void> {
		const found = await Promise.all(
			this.#urls.map(async (url) =>
				(await this.#resolve(url.hostname)).map((one) => at(url, one)),
			),
		).catch(() => []);
		if (found.flat().length === 0) return;
		this.#renewTls();
		const before = this.#connections;
		this.#connections = new Map(
			found
				.flat()
				.map(({ url, name }) => [
					url.origin,
					before.get(url.origin) ?? this.#connect(url, name),
				]),
		);
		for (const [address, connection] of before)
			if (!this.#connections.has(address)) connection.close();
	}

	/** Connections that began under other certificates take no more calls. */
	#renewTls(): void {
		const tls = this.#options.tls?.();
		if (tls === this.#tls) return;
		this.#tls = tls;
		for (const connection of this.#connections.values()) connection.close();
		this.#connections = new Map();
	}

	/** A name that cannot be resolved keeps its addresses; the first call of all tries the name itself. */
	async #resolve(host: string): Promise<readonly string[]> {
		const { resolve = resolveAll } = this.#options;
		return resolve(host).catch((error: unknown) => {
			if (this.#connections.size > 0) throw error;
			return [host];
		});
	}

	#connect(url: URL, name: string): Connection {
		const servername = isName(name) ? { servername: name } : {};
		return new Connection(
			url,
			this.#options.keepAlive,
			this.#tls && { ...this.#tls, ...servername },
		);
	}

	/** The next one that is up; where all are down, of those. */
	#next(): Connection {
		const all = [...this.#connections.values()];
		const up = all.filter(({ isDown }) => !isDown);
		const choice = up.length > 0 ? up : all;
		const connection = choice[this.#calls++ % choice.length];
		if (connection === undefined) throw new Error("No address is known.");
		return connection;
	}
}

/** The URL with one of the addresses behind its name. */
function at(named: URL, address: string): { url: URL; name: string } {
	const url = new URL(named);
	url.hostname = isIP(address) === 6 ? `[${address}]` : address;
	return { url, name: named.hostname };
}

async function resolveAll(host: string): Promise<string[]> {
	if (!isName(host)) return [host.replace(/^\[|\]$/g, "")];
	const found = await lookup(host, { all: true });
	return found.map(({ address }) => address).sort();
}

function isName(host: string): boolean {
	return isIP(host.replace(/^\[|\]$/g, "")) === 0;
}
