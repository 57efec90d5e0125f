import type { IncomingHttpHeaders } from "node:http";
import { createGuardedConnector } from "@airtower/platform/egress/guarded-connector";
import { type Dispatcher, Pool } from "undici";
import { NOT_OURS } from "../submit-queue.ts";
import type { Egress } from "./egress.ts";
import type { HttpRequest } from "./http-request.ts";
import type { HttpResponse } from "./http-response.ts";
import type { HttpRoute } from "./http-route.ts";

/** "unsent": nothing was written; where `isRefused`, because the caller said no. "lost": written, and no response. */
export type Exchange =
	| {
			readonly kind: "responded";
			readonly response: HttpResponse;
			/** Since the first byte of the request, ms. */
			readonly ms: number;
	  }
	| {
			readonly kind: "unsent";
			readonly why: string;
			readonly isRefused: boolean;
	  }
	| { readonly kind: "lost"; readonly why: string };

export interface HttpClient {
	/** Follows nothing, repeats nothing, and never rejects. `mayWrite` is asked right before the first byte. */
	request(request: HttpRequest, mayWrite: () => boolean): Promise<Exchange>;
	/** Closes the connections once what is under way is over. */
	finish(): Promise<void>;
	/** What is under way is lost. */
	close(): Promise<void>;
}

/** Most requests at a time are `binds`, each on a connection of its own; `timeoutMs` is for all of an exchange. */
type ClientRoute = Pick<HttpRoute, "address" | "binds" | "timeoutMs">;

/** The connection is destroyed beyond, and beyond what the entries of further messages may take. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
/** A response that was thrown away for its length would leave messages unknown that the operator has. */
const MAX_ENTRY_BYTES = 1_024;
/** Sooner than common servers: few requests meet a connection that is just being closed. */
const KEEP_ALIVE_MS = 4_000;

export function createHttpClient(
	{ address: { origin }, binds, timeoutMs }: ClientRoute,
	egress: Egress,
): HttpClient {
	const connector = createGuardedConnector({ ...egress, timeoutMs });
	const pool = new Pool(origin, {
		connect: connector.connect,
		connections: binds,
		allowH2: false,
		pipelining: 1,
		keepAliveTimeout: KEEP_ALIVE_MS,
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	return {
		request: ({ messages = 1, ...request }, mayWrite) =>
			new Promise((resolve) => {
				const maxBytes = MAX_RESPONSE_BYTES + (messages - 1) * MAX_ENTRY_BYTES;
				const limits = { timeoutMs, maxBytes };
				const exchange = new RunningExchange(limits, mayWrite, resolve);
				if (!egress.allowHttp && origin.startsWith("http:"))
					return exchange.fail(new Error("plain HTTP is not allowed"));
				try {
					pool.dispatch(request, exchange);
				} catch (error) {
					exchange.fail(error);
				}
			}),
		finish: async () => {
			await pool.close();
			await connector.close();
		},
		close: async () => {
			await Promise.all([pool.destroy(), connector.close()]);
		},
	};
}

/** Settles once, and after that lets nothing more be written or read. */
class RunningExchange implements Dispatcher.DispatchHandler {
	#resolve: ((exchange: Exchange) => void) | undefined;
	readonly #mayWrite: () => boolean;
	readonly #maxBytes: number;
	readonly #timer: NodeJS.Timeout;
	readonly #chunks: Buffer[] = [];
	#controller: Dispatcher.DispatchController | undefined;
	#failure: "unsent" | "lost" = "unsent";
	#startedAt = 0;
	#bytes = 0;
	#status = 0;
	#retryAfterMs: number | undefined;

	constructor(
		{ timeoutMs, maxBytes }: Record<"timeoutMs" | "maxBytes", number>,
		mayWrite: () => boolean,
		resolve: (exchange: Exchange) => void,
	) {
		this.#maxBytes = maxBytes;
		this.#mayWrite = mayWrite;
		this.#resolve = resolve;
		this.#timer = setTimeout(
			() => this.fail(new Error("timed out")),
			timeoutMs,
		);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		this.#startedAt = performance.now();
		if (this.#resolve === undefined) this.#destroy("too late");
		else if (this.#mayWrite()) this.#failure = "lost";
		else {
			this.#settle({ kind: "unsent", why: NOT_OURS, isRefused: true });
			this.#destroy(NOT_OURS);
		}
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: IncomingHttpHeaders,
	): void {
		this.#status = status;
		const [seconds = ""] = [headers["retry-after"]].flat();
		if (/^\d{1,9}$/.test(seconds)) this.#retryAfterMs = Number(seconds) * 1_000;
	}

	onResponseData(
		_controller: Dispatcher.DispatchController,
		chunk: Buffer,
	): void {
		this.#bytes += chunk.length;
		if (this.#bytes <= this.#maxBytes) this.#chunks.push(chunk);
		else this.fail(new Error("response too long"));
	}

	onResponseEnd(): void {
		const response = {
			status: this.#status,
			body: Buffer.concat(this.#chunks).toString(),
			retryAfterMs: this.#retryAfterMs,
		};
		const ms = performance.now() - this.#startedAt;
		this.#settle({ kind: "responded", response, ms });
	}

	onResponseError(
		_controller: Dispatcher.DispatchController,
		error: Error,
	): void {
		this.fail(error);
	}

	fail(error: unknown): void {
		const why = causeOf(error);
		this.#settle(
			this.#failure === "lost"
				? { kind: "lost", why }
				: { kind: "unsent", why, isRefused: false },
		);
		this.#destroy(why);
	}

	#settle(exchange: Exchange): void {
		clearTimeout(this.#timer);
		this.#resolve?.(exchange);
		this.#resolve = undefined;
	}

	#destroy(reason: string): void {
		this.#controller?.abort(new Error(reason));
	}
}

/** For people: a code where there is one, else the message. Neither shows what was sent. */
function causeOf(error: unknown): string {
	if (error instanceof AggregateError && error.errors.length > 0)
		return causeOf(error.errors[0]);
	if (!(error instanceof Error)) return "failed";
	const { code } = error as { code?: unknown };
	return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
