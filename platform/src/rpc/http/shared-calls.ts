import { lookup } from "node:dns/promises";
import type { ClientHttp2Stream } from "node:http2";
import { isIP } from "node:net";
import type { RpcTls } from "../tls.ts";
import { MarkingSessionManager } from "./session-manager.ts";

export interface SharedCallsOptions {
	readonly keepAlive: Readonly<
		Record<"pingIntervalMs" | "pingTimeoutMs", number>
	>;
	readonly tls: RpcTls | undefined;
	/** The addresses behind a name; asks the resolver by default. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
}

interface Target {
	readonly session: MarkingSessionManager;
	/** Not called before, ms of `performance.now()`. */
	downUntil: number;
}

/** A replica that comes is called, and one that goes is not, after this time at the latest, ms. */
const LOOK_UP_EVERY_MS = 2_000;
/** An address that could not be reached is left out so long, unless there is no other, ms. */
const DOWN_MS = 1_000;

/** Shares calls evenly among the addresses of a name. Over HTTP/2, because a closing server tells what it never saw. */
export class SharedCalls {
	readonly authority: string;
	readonly #url: URL;
	readonly #options: SharedCallsOptions;
	readonly #owners = new WeakMap<ClientHttp2Stream, MarkingSessionManager>();
	#targets = new Map<string, Target>();
	#lookedUpAt = Number.NEGATIVE_INFINITY;
	#update: Promise<void> | undefined;
	#turn = 0;

	constructor(baseUrl: string, options: SharedCallsOptions) {
		this.#url = new URL(baseUrl);
		this.authority = this.#url.origin;
		this.#options = options;
	}

	async request(
		...args: Parameters<MarkingSessionManager["request"]>
	): Promise<ClientHttp2Stream> {
		await this.#lookUp();
		const target = this.#next();
		try {
			const stream = await target.session.request(...args);
			this.#owners.set(stream, target.session);
			return stream;
		} catch (error) {
			target.downUntil = performance.now() + DOWN_MS;
			throw error;
		}
	}

	notifyResponseByteRead(stream: ClientHttp2Stream): void {
		this.#owners.get(stream)?.notifyResponseByteRead(stream);
	}

	abort(reason?: Error): void {
		for (const { session } of this.#targets.values()) session.abort(reason);
	}

	/** Only the first calls wait for a look-up; later ones go on beside it. */
	async #lookUp(): Promise<void> {
		const now = performance.now();
		if (now - this.#lookedUpAt >= LOOK_UP_EVERY_MS) {
			this.#lookedUpAt = now;
			this.#update = this.#findTargets();
		}
		if (this.#targets.size === 0) await this.#update;
	}

	/** Sessions of addresses that are gone end their calls and are closed by their server, or for idleness. */
	async #findTargets(): Promise<void> {
		const host = this.#url.hostname;
		const found = await this.#addresses(host);
		if (found.length === 0) return;
		const targets = found.map((address): [string, Target] => [
			address,
			this.#targets.get(address) ?? this.#open(address),
		]);
		this.#targets = new Map(targets);
	}

	/** A name that cannot be resolved keeps its addresses; the first call of all tries the name itself. */
	async #addresses(host: string): Promise<readonly string[]> {
		const { resolve = resolveAll } = this.#options;
		const otherwise = this.#targets.size === 0 ? [host] : [];
		return resolve(host).catch(() => otherwise);
	}

	#open(address: string): Target {
		const { keepAlive, tls } = this.#options;
		const { hostname } = this.#url;
		const url = new URL(this.#url);
		url.hostname = isIP(address) === 6 ? `[${address}]` : address;
		const session = new MarkingSessionManager(
			url,
			{ ...keepAlive, pingIdleConnection: true },
			tls && { ...tls, ...(isName(hostname) && { servername: hostname }) },
		);
		return { session, downUntil: 0 };
	}

	#next(): Target {
		const all = [...this.#targets.values()];
		const now = performance.now();
		const up = all.filter(({ downUntil }) => downUntil <= now);
		const choice = up.length > 0 ? up : all;
		const target = choice[this.#turn++ % choice.length];
		if (target === undefined) throw new Error("No address is known.");
		return target;
	}
}

async function resolveAll(host: string): Promise<string[]> {
	if (!isName(host)) return [host.replace(/^\[|\]$/g, "")];
	const found = await lookup(host, { all: true });
	return found.map(({ address }) => address).sort();
}

function isName(host: string): boolean {
	return isIP(host.replace(/^\[|\]$/g, "")) === 0;
}
