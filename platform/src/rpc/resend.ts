import { constants } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { Http2SessionManager } from "@connectrpc/connect-node";

type SendRequest = Http2SessionManager["request"];

/** Pauses before a call that never reached a server is tried again, milliseconds. */
const RESEND_DELAYS_MS = [25, 50, 100, 200, 400];
/** Longest time for a connection to be made, milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Causes of failures after which the server cannot have seen the request. */
const neverSeen = new WeakSet<object>();

/**
 * Repeats a unary call that provably never reached a handler: no connection was made, its stream
 * never left, or the server refused it unread (RFC 9113, section 8.7). Nothing else is repeated.
 */
export const resendNeverSeen: Interceptor = (next) => async (req) => {
	for (const pauseMs of RESEND_DELAYS_MS) {
		try {
			return await next(req);
		} catch (error) {
			if (req.stream || !wasNeverSeen(error)) throw error;
		}
		await delay(pauseMs, undefined, { signal: req.signal });
	}
	return next(req);
};

function wasNeverSeen(error: unknown): boolean {
	for (let at = error; at instanceof Error; at = at.cause)
		if (neverSeen.has(at)) return true;
	return false;
}

/** A session manager that marks failures of requests no server has seen, and gives up connecting in time. */
export class MarkingSessionManager extends Http2SessionManager {
	override async request(
		...args: Parameters<SendRequest>
	): ReturnType<SendRequest> {
		const timer = setTimeout(() => this.giveUpConnecting(), CONNECT_TIMEOUT_MS);
		try {
			const stream = await super.request(...args);
			stream.prependListener("error", (error) => {
				const isUnseen =
					stream.id === undefined ||
					stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
				if (isUnseen) neverSeen.add(error);
			});
			return stream;
		} catch (cause) {
			throw toUnreachable(cause);
		} finally {
			clearTimeout(timer);
		}
	}

	private giveUpConnecting(): void {
		if (this.state() === "connecting")
			this.abort(new ConnectError("connect timed out", Code.Unavailable));
	}
}

function toUnreachable(cause: unknown): ConnectError {
	const error = new ConnectError(
		"the service cannot be reached",
		Code.Unavailable,
		undefined,
		undefined,
		cause,
	);
	neverSeen.add(error);
	return error;
}
