import type { IncomingHttpHeaders } from "node:http";
import {
	type AddressGuard,
	AddressRefused,
	type PortRange,
} from "@airtower/platform/egress/address-guard";
import { EgressFailed } from "@airtower/platform/egress/egress-proxy";
import { createGuardedConnector } from "@airtower/platform/egress/guarded-connector";
import { fault } from "@airtower/platform/runtime/fault";
import { type buildConnector, type Dispatcher, errors, Pool } from "undici";
import type { AttemptError, AttemptResult } from "../domain/verdict.ts";

/** For connect, headers and body together. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** The connection is destroyed beyond. */
export const MAX_RESPONSE_BYTES = 64 * 1_024;

interface PostRequest {
	readonly url: string;
	/** Names and values in turn. */
	readonly headers: string[];
	readonly body: string;
	/** Asked right before the first byte: to connect takes time, in which the process may stand still. */
	readonly mayWrite: () => boolean;
}

export interface Poster {
	/** Follows nothing and never rejects. Undefined when nothing was written because `mayWrite` refused. */
	post(request: PostRequest): Promise<AttemptResult | undefined>;
	close(): Promise<void>;
}

interface PosterOptions {
	readonly guard: AddressGuard;
	readonly blockedPorts?: readonly PortRange[];
	/** URL of an HTTP proxy. */
	readonly egressProxy?: string | undefined;
	readonly timeoutMs?: number | undefined;
	readonly ca?: string | undefined;
}

export function createPoster(options: PosterOptions): Poster {
	const { guard, ca, egressProxy: proxy, blockedPorts = [] } = options;
	const timeoutMs = options.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
	const connector = createGuardedConnector({
		guard,
		blockedPorts,
		timeoutMs,
		ca,
		proxy,
	});
	const pools = createOriginPools(connector.connect);
	return {
		post: (request) =>
			new Promise((resolve) => {
				try {
					const attempt = new Attempt(timeoutMs, request.mayWrite, resolve);
					dispatch(pools, request, attempt);
				} catch (error) {
					resolve({ error: toAttemptError(error) });
				}
			}),
		close: async () => {
			await Promise.all([pools.close(), connector.close()]);
		},
	};
}

function dispatch(
	pools: OriginPools,
	{ url, headers, body }: PostRequest,
	attempt: Attempt,
): void {
	const { origin, pathname, search } = new URL(url);
	const path = pathname + search;
	pools.find(origin).dispatch({ path, method: "POST", headers, body }, attempt);
}

/** Settles once, and after that lets nothing more be written or read. */
class Attempt implements Dispatcher.DispatchHandler {
	#resolve: ((result: AttemptResult | undefined) => void) | undefined;
	readonly #mayWrite: () => boolean;
	readonly #timer: NodeJS.Timeout;
	#controller: Dispatcher.DispatchController | undefined;
	#status = 0;
	#retryAfter: string | undefined;
	#bytes = 0;

	constructor(
		timeoutMs: number,
		mayWrite: () => boolean,
		resolve: (result: AttemptResult | undefined) => void,
	) {
		this.#mayWrite = mayWrite;
		this.#resolve = resolve;
		this.#timer = setTimeout(() => {
			this.#settle({ error: "timeout" });
			this.#destroy("timeout");
		}, timeoutMs);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#resolve === undefined) this.#destroy("too late");
		else if (!this.#mayWrite()) {
			this.#settle(undefined);
			this.#destroy("no longer this process's to send");
		}
	}

	onRequestSent(): void {
		fault("webhooks.mid_post");
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: IncomingHttpHeaders,
	): void {
		this.#status = status;
		this.#retryAfter = [headers["retry-after"]].flat()[0];
	}

	onResponseData(
		_controller: Dispatcher.DispatchController,
		chunk: Buffer,
	): void {
		this.#bytes += chunk.length;
		if (this.#bytes <= MAX_RESPONSE_BYTES) return;
		this.#settle(this.#response());
		this.#destroy("response too long");
	}

	onResponseEnd(): void {
		this.#settle(this.#response());
	}

	onResponseError(
		_controller: Dispatcher.DispatchController,
		error: Error,
	): void {
		this.#settle({ error: toAttemptError(error) });
	}

	#response(): AttemptResult {
		return { status: this.#status, retryAfter: this.#retryAfter };
	}

	#settle(result: AttemptResult | undefined): void {
		clearTimeout(this.#timer);
		this.#resolve?.(result);
		this.#resolve = undefined;
	}

	#destroy(reason: string): void {
		this.#controller?.abort(new Error(reason));
	}
}

const BY_CODE: Readonly<Record<string, AttemptError>> = {
	ECONNREFUSED: "connection_refused",
	ECONNRESET: "connection_lost",
	EPIPE: "connection_lost",
	UND_ERR_SOCKET: "connection_lost",
	ETIMEDOUT: "timeout",
	UND_ERR_CONNECT_TIMEOUT: "timeout",
	UND_ERR_HEADERS_OVERFLOW: "invalid_response",
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "invalid_response",
};

/** Of Node's TLS layer and of OpenSSL. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO)|CERT|SIGNATURE|ISSUER/;

function toAttemptError(error: unknown): AttemptError {
	if (error instanceof AddressRefused) return error.reason;
	if (error instanceof EgressFailed) return "egress_failed";
	if (error instanceof AggregateError && error.errors.length > 0)
		return toAttemptError(error.errors[0]);
	if (error instanceof errors.HTTPParserError) return "invalid_response";
	const code = codeFrom(error);
	const known = BY_CODE[code];
	if (known !== undefined) return known;
	return TLS_CODE.test(code) ? "tls_failed" : "connection_failed";
}

function codeFrom(error: unknown): string {
	const { code } = (error ?? {}) as { code?: unknown };
	return typeof code === "string" ? code : "";
}

interface OriginPools {
	find(origin: string): Pool;
	close(): Promise<void>;
}

const MAX_ORIGINS = 1_000;
const OPTIONS = {
	allowH2: false,
	pipelining: 1,
	// Sooner than common servers: few requests meet a connection that is just being closed.
	keepAliveTimeout: 4_000,
	headersTimeout: 0,
	bodyTimeout: 0,
};

/** The least recently used pool is closed, once its requests are over, to make room. */
function createOriginPools(connect: buildConnector.connector): OriginPools {
	const pools = new Map<string, Pool>();

	function evictOldest(): void {
		const oldest = pools.entries().next().value;
		if (oldest === undefined || pools.size <= MAX_ORIGINS) return;
		pools.delete(oldest[0]);
		oldest[1].close().catch(() => {});
	}

	return {
		find: (origin) => {
			const pool =
				pools.get(origin) ?? new Pool(origin, { ...OPTIONS, connect });
			pools.delete(origin);
			pools.set(origin, pool);
			evictOldest();
			return pool;
		},
		close: async () => {
			await Promise.all([...pools.values()].map((pool) => pool.destroy()));
			pools.clear();
		},
	};
}
