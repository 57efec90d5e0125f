import type {
	ClientHttp2Session,
	ClientHttp2Stream,
	SecureClientSessionOptions,
} from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { respondsToPing } from "./responds-to-ping.ts";
import { MarkingSessionManager } from "./session-manager.ts";

/** With the time for its response, what is frozen or cut off is noticed within 4 s, ms. */
const PING_EVERY_MS = 2_000;
const PING_TIMEOUT_MS = 2_000;
/** How often one without a connection is tried, ms. */
const TRY_EVERY_MS = 1_000;

type Request = MarkingSessionManager["request"];
export type KeepAlive = Readonly<
	Record<"pingIntervalMs" | "pingTimeoutMs", number>
>;

/** One address of a service. It is down from a failed connection or an unanswered ping on, until it responds to one. */
export class Target {
	readonly session: MarkingSessionManager;
	readonly #url: URL;
	readonly #options: SecureClientSessionOptions;
	#isDown = false as boolean;
	#isTrying = false as boolean;
	#isGone = false;
	#connection: ClientHttp2Session | undefined;

	constructor(
		url: URL,
		keepAlive: KeepAlive,
		options: SecureClientSessionOptions = {},
	) {
		this.#url = url;
		this.#options = options;
		this.session = new MarkingSessionManager(
			url,
			{ ...keepAlive, pingIdleConnection: true },
			options,
		);
	}

	get isDown(): boolean {
		return this.#isDown;
	}

	async request(...args: Parameters<Request>): Promise<ClientHttp2Stream> {
		try {
			const stream = await this.session.request(...args);
			this.#watch(stream.session as ClientHttp2Session | undefined);
			return stream;
		} catch (error) {
			this.#isDown = true;
			void this.#tryUntilUp();
			throw error;
		}
	}

	/** It is called no more; its calls go on to their end. */
	leave(): void {
		this.#isGone = true;
	}

	/** Pings of its own: those of the manager begin anew with every call. */
	#watch(connection: ClientHttp2Session | undefined): void {
		if (connection === undefined || connection === this.#connection) return;
		this.#connection = connection;
		let isWaiting = false;
		const ping = () => {
			if (isWaiting || connection.closed || connection.destroyed) return;
			isWaiting = true;
			const timer = setTimeout(() => {
				this.#isDown = true;
			}, PING_TIMEOUT_MS).unref();
			connection.ping((error) => {
				clearTimeout(timer);
				isWaiting = false;
				if (error === null) this.#isDown = false;
			});
		};
		const beat = setInterval(ping, PING_EVERY_MS).unref();
		connection.once("close", () => {
			clearInterval(beat);
			void this.#tryUntilUp();
		});
		ping();
	}

	async #tryUntilUp(): Promise<void> {
		if (this.#isTrying) return;
		this.#isTrying = true;
		while (this.#isDown && !this.#isGone) {
			const isUp = await respondsToPing(
				this.#url,
				this.#options,
				PING_TIMEOUT_MS,
			);
			if (isUp) this.#isDown = false;
			else await delay(TRY_EVERY_MS, undefined, { ref: false });
		}
		this.#isTrying = false;
	}
}
