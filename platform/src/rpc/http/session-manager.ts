import { constants } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { Http2SessionManager } from "@connectrpc/connect-node";

type SendRequest = Http2SessionManager["request"];

const CONNECT_TIMEOUT_MS = 3_000;

/** Causes of failures after which the server cannot have seen the request. */
const neverSeen = new WeakSet<object>();

export function wasNeverSeen(error: unknown): boolean {
	for (let at = error; at instanceof Error; at = at.cause)
		if (neverSeen.has(at)) return true;
	return false;
}

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
