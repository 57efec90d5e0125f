import type { IncomingMessage, ServerResponse } from "node:http";
import {
	constants,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Request bodies that are being read, of all calls together. */
const MAX_BUFFERED_BYTES = 64 * 1_048_576;

interface BodyLimits {
	readonly maxBytes: number;
	/** Time a caller gets to send its whole request, ms. */
	readonly maxMs: number;
	/** Of a request whose response was written before it was read whole; then it is cut. */
	readonly maxDiscarded: number;
}

/** Of a method that asks for a token before it reads. */
export const CALL_BODY: BodyLimits = {
	maxBytes: Number.POSITIVE_INFINITY,
	maxMs: 30_000,
	maxDiscarded: Number.POSITIVE_INFINITY,
};
/** Of health and reflection, which anybody may call. */
export const STANDARD_BODY: BodyLimits = {
	maxBytes: 4_096,
	maxMs: 2_000,
	maxDiscarded: 65_536,
};

/** A deadline counts from the whole request: half of one could wait forever. */
export function limitUpload(request: HttpRequest, maxMs: number): void {
	const timer = setTimeout(() => {
		if ("stream" in request) request.stream.close(constants.NGHTTP2_CANCEL);
		else request.destroy();
	}, maxMs);
	const stop = () => clearTimeout(timer);
	const source = "stream" in request ? request.stream : request;
	source.once("end", stop).once("close", stop);
}

export function reset(request: HttpRequest): void {
	if ("stream" in request)
		request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
	else request.destroy();
}

/** Reads bodies within their own bounds and one for all together. */
export function createBodyReader() {
	let buffered = 0;
	/** A request that was left half read would occupy its stream or connection. */
	return (
		request: HttpRequest,
		response: HttpResponse,
		{ maxBytes, maxDiscarded }: BodyLimits,
	): AsyncIterable<Uint8Array> => {
		const chunks = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
		let read = 0;
		const next = async () => {
			const chunk = await chunks.next();
			if (chunk.done === true) return chunk;
			const bytes = chunk.value.byteLength;
			read += bytes;
			buffered += bytes;
			if (read > maxBytes || buffered > MAX_BUFFERED_BYTES)
				throw new ConnectError(
					read > maxBytes
						? `A request to this method has at most ${maxBytes} bytes.`
						: "The service is at its limit of request bodies.",
					Code.ResourceExhausted,
				);
			return chunk;
		};
		const written = "stream" in request ? request.stream : response;
		written.once("finish", () => {
			if (request.readableEnded) return;
			discard(chunks, maxDiscarded)
				.then((isWhole) => {
					if (!isWhole) cut(request);
				})
				.catch(() => undefined);
		});
		written.once("close", () => {
			buffered -= read;
		});
		return { [Symbol.asyncIterator]: () => ({ next }) };
	};
}

/** False when there is more of it than is worth reading. */
async function discard(
	chunks: AsyncIterator<Uint8Array>,
	maxBytes: number,
): Promise<boolean> {
	for (let read = 0; read <= maxBytes; ) {
		const chunk = await chunks.next();
		if (chunk.done === true) return true;
		read += chunk.value.byteLength;
	}
	return false;
}

function cut(request: HttpRequest): void {
	if ("stream" in request) request.stream.close(constants.NGHTTP2_NO_ERROR);
	else request.destroy();
}

/** Before anything of the call has been done: a client may make it again. */
export function refuseForNow(request: HttpRequest): void {
	if ("stream" in request)
		request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
	else request.destroy();
}

export function refuse(response: HttpResponse, status: 400 | 404): void {
	response.statusCode = status;
	response.end();
}

/** In gRPC a status of its own, in all else 404. */
export function refuseUnknown(
	request: HttpRequest,
	response: HttpResponse,
): void {
	const type = request.headers["content-type"] ?? "";
	request.resume();
	if (!type.startsWith("application/grpc")) {
		refuse(response, 404);
		return;
	}
	const headers = {
		"content-type": type,
		"grpc-status": String(Code.Unimplemented),
		"grpc-message": "There is no such method.",
	};
	// gRPC reads a status off headers only when nothing follows them.
	if ("stream" in request)
		request.stream.respond({ ":status": 200, ...headers }, { endStream: true });
	else (response as ServerResponse).writeHead(200, headers).end();
}
