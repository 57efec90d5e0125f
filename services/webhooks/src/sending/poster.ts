import type { IncomingHttpHeaders } from "node:http";
import { fault } from "@airtower/platform/runtime/fault";
import type { Dispatcher } from "undici";
import type { Answer } from "../domain/verdict.ts";
import type { AddressGuard } from "./address-guard.ts";
import { attemptErrorOf } from "./attempt-error.ts";
import { createGuardedConnector } from "./guarded-connector.ts";
import { createOriginPools, type OriginPools } from "./origin-pools.ts";

/** Time for connect, headers and body together, ms. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** Bytes of a response that are read; the connection is destroyed beyond. */
export const MAX_RESPONSE_BYTES = 64 * 1_024;

export interface PostRequest {
	readonly url: string;
	/** Names and values in turn. */
	readonly headers: string[];
	readonly body: string;
}

export interface Poster {
	/** POSTs once, follows nothing, and never rejects. */
	post(request: PostRequest): Promise<Answer>;
	/** Ends every connection; attempts under way fail. */
	close(): Promise<void>;
}

export interface PosterOptions {
	readonly guard: AddressGuard;
	readonly timeoutMs?: number | undefined;
	readonly ca?: string | undefined;
}

/** Sends callbacks over kept-alive HTTP/1.1 connections. */
export function createPoster(options: PosterOptions): Poster {
	const timeoutMs = options.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
	const pools = createOriginPools(
		createGuardedConnector({ guard: options.guard, timeoutMs, ca: options.ca }),
	);
	return {
		post: (request) =>
			new Promise((resolve) => {
				try {
					dispatch(pools, request, new Attempt(timeoutMs, resolve));
				} catch (error) {
					resolve({ error: attemptErrorOf(error) });
				}
			}),
		close: () => pools.close(),
	};
}

function dispatch(
	pools: OriginPools,
	{ url, headers, body }: PostRequest,
	attempt: Attempt,
): void {
	const { origin, pathname, search } = new URL(url);
	pools
		.of(origin)
		.dispatch(
			{ path: pathname + search, method: "POST", headers, body },
			attempt,
		);
}

/** One request's life: settles once, and after that lets nothing more be written or read. */
class Attempt implements Dispatcher.DispatchHandler {
	/** Undefined once settled. */
	#resolve: ((answer: Answer) => void) | undefined;
	readonly #timer: NodeJS.Timeout;
	#controller: Dispatcher.DispatchController | undefined;
	#status = 0;
	#retryAfter: string | undefined;
	#bytes = 0;

	constructor(timeoutMs: number, resolve: (answer: Answer) => void) {
		this.#resolve = resolve;
		this.#timer = setTimeout(() => {
			this.#settle({ error: "timeout" });
			this.#destroy("timeout");
		}, timeoutMs);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#resolve === undefined) this.#destroy("too late");
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
		this.#settle(this.#answer());
		this.#destroy("response too long");
	}

	onResponseEnd(): void {
		this.#settle(this.#answer());
	}

	onResponseError(
		_controller: Dispatcher.DispatchController,
		error: Error,
	): void {
		this.#settle({ error: attemptErrorOf(error) });
	}

	#answer(): Answer {
		return { status: this.#status, retryAfter: this.#retryAfter };
	}

	#settle(answer: Answer): void {
		clearTimeout(this.#timer);
		this.#resolve?.(answer);
		this.#resolve = undefined;
	}

	#destroy(reason: string): void {
		this.#controller?.abort(new Error(reason));
	}
}
