import {
	type ClientHttp2Session,
	connect,
	type SecureClientSessionOptions,
} from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_UNAUTHENTICATED_CALLS } from "./unauthenticated.ts";
import { UnseenError } from "./unseen-error.ts";

export interface KeepAlive {
	/** How often the other side is asked for a sign of life, ms. */
	readonly pingIntervalMs: number;
	/** An address that takes longer to respond gets no calls until it responds, ms. */
	readonly pingTimeoutMs: number;
}

/** Time until a connection is open, ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Times that a ping may take, until a session that was replaced is ended with its calls. */
const PATIENCE = 5;
/** How often an address that is down is tried, ms. */
const TRY_EVERY_MS = 1_000;

/**
 * One address of a service and the HTTP/2 session to it. The address is down from a failed connection or a ping without
 * a response on, until it responds to a ping: the kernel of a frozen process still takes connections.
 */
export class Connection {
	readonly #url: URL;
	readonly #keepAlive: KeepAlive;
	readonly #options: SecureClientSessionOptions;
	#session: ClientHttp2Session | undefined;
	#opening: Promise<ClientHttp2Session> | undefined;
	#isDown = false as boolean;
	#isTrying = false as boolean;
	#isClosed = false as boolean;

	constructor(
		url: URL,
		keepAlive: KeepAlive,
		options: SecureClientSessionOptions = {},
	) {
		this.#url = url;
		this.#keepAlive = keepAlive;
		this.#options = options;
	}

	get isDown(): boolean {
		return this.#isDown;
	}

	/** The session for a new call. Rejects with UnseenError when none can be opened. */
	async session(): Promise<ClientHttp2Session> {
		const current = this.#session;
		if (current !== undefined && isUsable(current)) return current;
		this.#opening ??= this.#openForCalls().finally(() => {
			this.#opening = undefined;
		});
		return this.#opening;
	}

	/** No call begins any more; those under way go on to their end. */
	close(): void {
		this.#isClosed = true;
		this.#session?.close();
	}

	async #openForCalls(): Promise<ClientHttp2Session> {
		try {
			return this.#use(await open(this.#url, this.#options));
		} catch (error) {
			this.#markDown();
			throw new UnseenError("the service cannot be reached", error);
		}
	}

	#use(session: ClientHttp2Session): ClientHttp2Session {
		if (this.#session !== undefined)
			replace(this.#session, this.#keepAlive.pingTimeoutMs);
		this.#session = session;
		if (this.#isClosed) session.close();
		this.#keepPinging(session);
		return session;
	}

	#keepPinging(session: ClientHttp2Session): void {
		let isWaiting = false;
		const ping = () => {
			if (isWaiting || !isUsable(session)) return;
			isWaiting = true;
			const timer = setTimeout(() => {
				if (session === this.#session) this.#markDown();
			}, this.#keepAlive.pingTimeoutMs).unref();
			session.ping((error) => {
				clearTimeout(timer);
				isWaiting = false;
				if (error === null) this.#isDown = false;
			});
		};
		const beat = setInterval(ping, this.#keepAlive.pingIntervalMs).unref();
		session.once("close", () => clearInterval(beat));
		ping();
	}

	#markDown(): void {
		this.#isDown = true;
		if (!this.#isTrying) void this.#tryUntilUp();
	}

	/** Replaces the session by the first new one that responds; the present one may respond before. */
	async #tryUntilUp(): Promise<void> {
		this.#isTrying = true;
		while (this.#isDown && !this.#isClosed) {
			const session = await this.#openResponding();
			if (session !== undefined && this.#isDown) {
				this.#isDown = false;
				this.#use(session);
			} else {
				session?.destroy();
				await delay(TRY_EVERY_MS, undefined, { ref: false });
			}
		}
		this.#isTrying = false;
	}

	async #openResponding(): Promise<ClientHttp2Session | undefined> {
		const { pingTimeoutMs } = this.#keepAlive;
		try {
			const session = await open(this.#url, this.#options, { isWanted: false });
			const timer = setTimeout(() => session.destroy(), pingTimeoutMs).unref();
			const isUp = await responds(session);
			clearTimeout(timer);
			session.ref();
			return isUp ? session : undefined;
		} catch {
			return undefined;
		}
	}
}

/**
 * Calls that are under way on it may still get their responses; where it is silent they fail before their deadlines.
 */
function replace(session: ClientHttp2Session, pingTimeoutMs: number): void {
	session.close();
	const timer = setTimeout(
		() => session.destroy(),
		PATIENCE * pingTimeoutMs,
	).unref();
	session.once("close", () => clearTimeout(timer));
}

function isUsable(session: ClientHttp2Session): boolean {
	return !session.closed && !session.destroyed;
}

/** @param isWanted false for a session that need not keep the process running */
async function open(
	url: URL,
	options: SecureClientSessionOptions,
	{ isWanted = true } = {},
): Promise<ClientHttp2Session> {
	const { promise, resolve, reject } =
		Promise.withResolvers<ClientHttp2Session>();
	const session = connect(url, {
		...options,
		// Until the service has said how many it takes.
		peerMaxConcurrentStreams: MAX_UNAUTHENTICATED_CALLS,
	});
	if (!isWanted) session.unref();
	let reason = new Error("no connection within its time");
	const timer = setTimeout(() => session.destroy(), CONNECT_TIMEOUT_MS);
	if (!isWanted) timer.unref();
	session.once("connect", () => resolve(session));
	// Also the late error of a session that was destroyed: it must not end the process.
	session.on("error", (error: Error) => {
		reason = error;
	});
	session.once("close", () => reject(reason));
	return promise.finally(() => clearTimeout(timer));
}

function responds(session: ClientHttp2Session): Promise<boolean> {
	return new Promise((resolve) => {
		session.once("close", () => resolve(false));
		session.ping((error) => resolve(error === null));
	});
}
