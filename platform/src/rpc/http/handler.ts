import {
	type ConnectRouter,
	type ContextValues,
	createContextValues,
} from "@connectrpc/connect";
import type {
	UniversalHandlerFn,
	UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import {
	universalRequestFromNodeRequest,
	universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Logger } from "../../runtime/log.ts";
import { peerAddressKey } from "../caller.ts";
import {
	type HttpRequest,
	type HttpResponse,
	limitUpload,
	readBody,
	refuse,
	refuseUnknown,
	reset,
} from "./exchange.ts";
import { withReadableMessage } from "./readable-message.ts";

export type HttpHandler = (
	request: HttpRequest,
	response: HttpResponse,
) => void;

/** A request whose response fails is reset; nothing that a peer sends throws. */
export function createHttpHandler(
	router: ConnectRouter,
	log: Logger,
): HttpHandler {
	const methods = new Map(
		router.handlers.map((method) => [method.requestPath, method]),
	);
	return (request, response) => {
		serve(methods, request, response).catch((error: unknown) => {
			log.debug({ err: error }, "an rpc response could not be written");
			reset(request);
		});
	};
}

async function serve(
	methods: ReadonlyMap<string, UniversalHandlerFn>,
	request: HttpRequest,
	response: HttpResponse,
): Promise<void> {
	const method = methods.get(request.url?.split("?", 1)[0] ?? "");
	if (method === undefined) return refuseUnknown(request, response);
	const call = toUniversalRequest(request, response);
	if (call === undefined) return refuse(response, 400);
	limitUpload(request);
	const result = withReadableMessage(await method(call));
	await universalResponseToNodeResponse(result, response);
}

/** Undefined when the request names no host that a URL can hold. */
function toUniversalRequest(
	request: HttpRequest,
	response: HttpResponse,
): UniversalServerRequest | undefined {
	try {
		const call = universalRequestFromNodeRequest(
			...([request, response, undefined, peerOf(request)] as const),
		);
		return { ...call, body: readBody(request, response) };
	} catch {
		return undefined;
	}
}

function peerOf({ socket }: HttpRequest): ContextValues {
	const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
	return createContextValues().set(peerAddressKey, address);
}
