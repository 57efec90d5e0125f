import type { IncomingMessage, ServerResponse } from "node:http";
import {
	constants,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from "node:http2";
import { Code } from "@connectrpc/connect";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Time a caller gets to send its whole request, ms. */
const MAX_UPLOAD_MS = 30_000;

/** A deadline counts from the whole request: half of one could wait forever. */
export function limitUpload(request: HttpRequest): void {
	const timer = setTimeout(() => {
		if ("stream" in request) request.stream.close(constants.NGHTTP2_CANCEL);
		else request.destroy();
	}, MAX_UPLOAD_MS);
	const stop = () => clearTimeout(timer);
	const source = "stream" in request ? request.stream : request;
	source.once("end", stop).once("close", stop);
}

export function reset(request: HttpRequest): void {
	if ("stream" in request)
		request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
	else request.destroy();
}

/** A request that was left half read would hold its stream or connection. */
export function readBody(
	request: HttpRequest,
	response: HttpResponse,
): AsyncIterable<Uint8Array> {
	const chunks = request[Symbol.asyncIterator]();
	const next = () => chunks.next();
	const written = "stream" in request ? request.stream : response;
	written.once("finish", () => {
		if (!request.readableEnded) discard(chunks).catch(() => undefined);
	});
	return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function discard(chunks: AsyncIterator<unknown>): Promise<void> {
	while ((await chunks.next()).done !== true);
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
