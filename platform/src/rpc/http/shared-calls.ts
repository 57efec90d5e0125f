import { lookup } from "node:dns/promises";
import type { ClientHttp2Stream } from "node:http2";
import { isIP } from "node:net";
import type { RpcTls, TlsSource } from "../tls.ts";
import type { MarkingSessionManager } from "./session-manager.ts";
import { type KeepAlive, Target } from "./target.ts";

export interface SharedCallsOptions {
	readonly keepAlive: KeepAlive;
	readonly tls: TlsSource | undefined;
	/** The addresses behind a name; asks the resolver by default. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** A replica that comes is called, and one that goes is not, after this time at the latest, ms. */
const LOOK_UP_EVERY_MS = 2_000;

/** Shares calls evenly among the addresses of names. Over HTTP/2, because a closing server tells what it never saw. */
export class SharedCalls {
	readonly authority: string;
	readonly #urls: readonly URL[];
	readonly #options: SharedCallsOptions;
	readonly #owners = new WeakMap<ClientHttp2Stream, MarkingSessionManager>();
	#targets = new Map<string, Target>();
	#tls: RpcTls | undefined;
	/** Opened under what held before; closed once their calls are over. */
	#retired: MarkingSessionManager[] = [];
	#lookedUpAt = Number.NEGATIVE_INFINITY;
	#update: Promise<void> | undefined;
	#turn = 0;

	constructor(
		baseUrls: readonly [string, ...string[]],
		options: SharedCallsOptions,
	) {
		this.#urls = baseUrls.map((url) => new URL(url));
		this.authority = new URL(baseUrls[0]).origin;
		this.#options = options;
		this.#tls = options.tls?.();
	}

	async request(
		...args: Parameters<MarkingSessionManager["request"]>
	): Promise<ClientHttp2Stream> {
		await this.#lookUp();
		const target = this.#next();
		const stream = await target.request(...args);
		this.#owners.set(stream, target.session);
		return stream;
	}

	notifyResponseByteRead(stream: ClientHttp2Stream): void {
		this.#owners.get(stream)?.notifyResponseByteRead(stream);
	}

	abort(reason?: Error): void {
		const targets = [...this.#targets.values()];
		for (const target of targets) target.leave();
		const current = targets.map(({ session }) => session);
		for (const session of [...current, ...this.#retired]) session.abort(reason);
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
		const found = await Promise.all(
			this.#urls.map(async (url) =>
				(await this.#addresses(url.hostname)).map((one) => at(url, one)),
			),
		).catch(() => []);
		if (found.flat().length === 0) return;
		this.#renewTls();
		const targets = found
			.flat()
			.map(({ url, name }): [string, Target] => [
				url.origin,
				this.#targets.get(url.origin) ?? this.#open(url, name),
			]);
		const before = this.#targets;
		this.#targets = new Map(targets);
		for (const [address, target] of before)
			if (!this.#targets.has(address)) target.leave();
	}

	#renewTls(): void {
		const now = this.#options.tls?.();
		this.#retired = this.#retired.filter((session) => !endIdle(session));
		if (now === this.#tls) return;
		this.#tls = now;
		for (const target of this.#targets.values()) {
			target.leave();
			this.#retired.push(target.session);
		}
		this.#targets = new Map();
	}

	/** A name that cannot be resolved keeps its addresses; the first call of all tries the name itself. */
	async #addresses(host: string): Promise<readonly string[]> {
		const { resolve = resolveAll } = this.#options;
		return resolve(host).catch((error: unknown) => {
			if (this.#targets.size > 0) throw error;
			return [host];
		});
	}

	#open(url: URL, name: string): Target {
		const tls = this.#tls;
		return new Target(
			url,
			this.#options.keepAlive,
			tls && { ...tls, ...(isName(name) && { servername: name }) },
		);
	}

	/** The next one that is up; where all are down, of those. */
	#next(): Target {
		const all = [...this.#targets.values()];
		const up = all.filter(({ isDown }) => !isDown);
		const choice = up.length > 0 ? up : all;
		const target = choice[this.#turn++ % choice.length];
		if (target === undefined) throw new Error("No address is known.");
		return target;
	}
}

function endIdle(session: MarkingSessionManager): boolean {
	if (["open", "connecting", "verifying"].includes(session.state()))
		return false;
	session.abort();
	return true;
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
