import {
	type ClientHttp2Session,
	type ClientHttp2Stream,
	constants,
	type IncomingHttpHeaders,
	type OutgoingHttpHeaders,
} from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Addresses } from "./addresses.ts";
import { UnseenError } from "./unseen-error.ts";

interface UnaryRequest {
	readonly path: string;
	readonly body: Uint8Array;
	/** Asked for at each try. */
	headers(): Promise<OutgoingHttpHeaders>;
}

export interface UnaryReply {
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

interface CallBounds {
	readonly timeoutMs: number;
	/** Most bytes of a request and of a response. */
	readonly maxBytes: number;
	readonly signal: AbortSignal | undefined;
}

const RESEND_DELAYS_MS = [25, 50, 100, 200, 400];

/**
 * Makes one call and repeats it only while no server can have seen it. Rejects with ConnectError: deadline_exceeded,
 * canceled, resource_exhausted (too large) or unavailable.
 */
export async function callUnary(
	addresses: Addresses,
	request: UnaryRequest,
	{ timeoutMs, maxBytes, signal }: CallBounds,
): Promise<UnaryReply> {
	const { promise, resolve, reject } = Promise.withResolvers<UnaryReply>();
	let stream: ClientHttp2Stream | undefined;
	let isOver = false as boolean;
	const giveUp = (error: ConnectError) => {
		isOver = true;
		stream?.close(constants.NGHTTP2_CANCEL);
		reject(error);
	};

	async function tryOnce(): Promise<UnaryReply> {
		const [session, headers] = await Promise.all([
			addresses.session(),
			request.headers(),
		]);
		if (isOver) return promise;
		stream = openStream(session, { ":path": request.path, ...headers });
		stream.end(request.body);
		return readReply(stream, maxBytes);
	}

	async function tryUntilSeen(): Promise<UnaryReply> {
		for (const pauseMs of RESEND_DELAYS_MS) {
			try {
				return await tryOnce();
			} catch (error) {
				if (isOver || !(error instanceof UnseenError)) throw error;
			}
			await delay(pauseMs);
		}
		return tryOnce();
	}

	if (request.body.byteLength > maxBytes) throw tooLarge("request", maxBytes);
	const timer = setTimeout(() => giveUp(tooLate(timeoutMs)), timeoutMs);
	const onAbort = () => giveUp(canceled(signal?.reason));
	if (signal?.aborted) onAbort();
	signal?.addEventListener("abort", onAbort, { once: true });
	try {
		if (!isOver) tryUntilSeen().then(resolve, reject);
		return await promise;
	} finally {
		isOver = true;
		clearTimeout(timer);
		signal?.removeEventListener("abort", onAbort);
	}
}

function openStream(
	session: ClientHttp2Session,
	headers: OutgoingHttpHeaders,
): ClientHttp2Stream {
	try {
		return session.request({ ":method": "POST", ...headers });
	} catch (error) {
		throw new UnseenError("the connection was closing", error);
	}
}

function readReply(
	stream: ClientHttp2Stream,
	maxBytes: number,
): Promise<UnaryReply> {
	const { promise, resolve, reject } = Promise.withResolvers<UnaryReply>();
	const chunks: Buffer[] = [];
	let headers: IncomingHttpHeaders | undefined;
	let bytes = 0;
	let reason: unknown;
	stream.on("response", (received) => {
		headers = received;
	});
	stream.on("data", (chunk: Buffer) => {
		bytes += chunk.byteLength;
		chunks.push(chunk);
		if (bytes <= maxBytes) return;
		reject(tooLarge("response", maxBytes));
		stream.close(constants.NGHTTP2_CANCEL);
	});
	stream.on("end", () => {
		if (headers !== undefined && !stream.aborted)
			resolve({ headers, body: join(chunks) });
	});
	stream.on("error", (error) => {
		reason = error;
	});
	stream.on("close", () => reject(toLost(stream, reason)));
	return promise;
}

/** Most responses come in one piece. */
function join(chunks: readonly Buffer[]): Buffer {
	const [first] = chunks;
	return first !== undefined && chunks.length === 1
		? first
		: Buffer.concat(chunks);
}

function toLost(stream: ClientHttp2Stream, reason: unknown): ConnectError {
	const isUnseen =
		stream.id === undefined ||
		stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
	if (isUnseen)
		return new UnseenError("the server did not take the call", reason);
	return new ConnectError(
		"the call ended without a response",
		Code.Unavailable,
		undefined,
		undefined,
		reason,
	);
}

function tooLarge(what: string, maxBytes: number): ConnectError {
	return new ConnectError(
		`the ${what} has more than ${maxBytes} bytes`,
		Code.ResourceExhausted,
	);
}

function tooLate(timeoutMs: number): ConnectError {
	return new ConnectError(
		`no response within ${timeoutMs} ms`,
		Code.DeadlineExceeded,
	);
}

function canceled(cause: unknown): ConnectError {
	return new ConnectError(
		"the caller gave the call up",
		Code.Canceled,
		undefined,
		undefined,
		cause,
	);
}
