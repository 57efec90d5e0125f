import {
	constants,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from "node:http2";
import type { ConnectRouter } from "@connectrpc/connect";
import type {
	UniversalHandlerFn,
	UniversalServerRequest,
	UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import {
	universalRequestFromNodeRequest,
	universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Logger } from "../runtime/log.ts";

export type Http2Handler = (
	request: Http2ServerRequest,
	response: Http2ServerResponse,
) => void;

/** Time a caller gets to send its whole request, milliseconds. */
const MAX_UPLOAD_MS = 30_000;

/**
 * Serves HTTP/2 requests with the router's methods: 404 for any other path, 400 for a request that
 * cannot be read. A stream whose response fails is reset; nothing that a peer sends throws.
 */
export function createHttp2Handler(
	router: ConnectRouter,
	log: Logger,
): Http2Handler {
	const methods = new Map(
		router.handlers.map((method) => [method.requestPath, method]),
	);
	return (request, response) => {
		serve(methods, request, response).catch((error: unknown) => {
			log.debug({ err: error }, "an rpc response could not be written");
			request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
		});
	};
}

async function serve(
	methods: ReadonlyMap<string, UniversalHandlerFn>,
	request: Http2ServerRequest,
	response: Http2ServerResponse,
): Promise<void> {
	const method = methods.get(request.url.split("?", 1)[0] ?? "");
	if (method === undefined) return refuse(response, 404);
	const call = toUniversalRequest(request, response);
	if (call === undefined) return refuse(response, 400);
	limitUpload(request);
	const result = withReadableMessage(await method(call));
	await universalResponseToNodeResponse(result, response);
}

function refuse(response: Http2ServerResponse, status: 400 | 404): void {
	response.writeHead(status).end();
}

/** A call's deadline counts from its whole request: without a limit, half of one could wait forever. */
function limitUpload({ stream }: Http2ServerRequest): void {
	const timer = setTimeout(
		() => stream.close(constants.NGHTTP2_CANCEL),
		MAX_UPLOAD_MS,
	);
	const stop = () => clearTimeout(timer);
	stream.once("end", stop).once("close", stop);
}

/** Undefined when the request names no host, or none that a URL can hold: its reader throws then. */
function toUniversalRequest(
	request: Http2ServerRequest,
	response: Http2ServerResponse,
): UniversalServerRequest | undefined {
	try {
		const call = universalRequestFromNodeRequest(
			request,
			response,
			undefined,
			undefined,
		);
		return { ...call, body: readBody(request) };
	} catch {
		return undefined;
	}
}

/** Reads on after an early response: a stream whose request was left half read would never close. */
function readBody(request: Http2ServerRequest): AsyncIterable<Uint8Array> {
	const chunks = request[Symbol.asyncIterator]();
	const next = () => chunks.next();
	request.stream.once("finish", () => {
		if (!request.readableEnded) discard(chunks).catch(() => undefined);
	});
	return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function discard(chunks: AsyncIterator<unknown>): Promise<void> {
	while ((await chunks.next()).done !== true);
}

/** Trailers are complete only when the body has been written, so they are read then. */
function withReadableMessage(
	response: UniversalServerResponse,
): UniversalServerResponse {
	const { trailer } = response;
	if (trailer === undefined) return response;
	return {
		...response,
		get trailer() {
			const message = trailer.get("grpc-message");
			if (message !== null)
				trailer.set("grpc-message", percentEncode(decodeURIComponent(message)));
			return trailer;
		},
	};
}

/**
 * Encodes what the gRPC over HTTP/2 specification asks for and no more: grpc-js decodes only as far
 * as decodeURI does and would show "%3A" for a colon.
 */
function percentEncode(message: string): string {
	return message.replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}
