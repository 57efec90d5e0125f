import {
	constants,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from "node:http2";
import type { ConnectRouter } from "@connectrpc/connect";
import type {
	UniversalHandlerFn,
	UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import {
	universalRequestFromNodeRequest,
	universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Logger } from "../../runtime/log.ts";
import { withReadableMessage } from "./readable-message.ts";

export type Http2Handler = (
	request: Http2ServerRequest,
	response: Http2ServerResponse,
) => void;

/** Time a caller gets to send its whole request, ms. */
const MAX_UPLOAD_MS = 30_000;

/** A stream whose response fails is reset; nothing that a peer sends throws. */
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

/** A deadline counts from the whole request: half of one could wait forever. */
function limitUpload({ stream }: Http2ServerRequest): void {
	const timer = setTimeout(
		() => stream.close(constants.NGHTTP2_CANCEL),
		MAX_UPLOAD_MS,
	);
	const stop = () => clearTimeout(timer);
	stream.once("end", stop).once("close", stop);
}

/** Undefined when the request names no host that a URL can hold. */
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

/** A stream whose request was left half read would never close. */
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
