import { setImmediate as nextTurn } from "node:timers/promises";
import {
	type ConnectRouter,
	type ContextValues,
	createContextValues,
} from "@connectrpc/connect";
import type {
	UniversalServerRequest,
	UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import {
	universalRequestFromNodeRequest,
	universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Logger } from "../../runtime/log.ts";
import { onKnownKey, peerAddressKey } from "../caller.ts";
import {
	CALL_BODY,
	createBodyReader,
	type HttpRequest,
	type HttpResponse,
	limitUpload,
	refuse,
	refuseForNow,
	refuseUnknown,
	reset,
	STANDARD_BODY,
} from "./exchange.ts";
import type { UnauthenticatedPeers } from "./unauthenticated.ts";

export type HttpHandler = (
	request: HttpRequest,
	response: HttpResponse,
) => void;

/** Of health and reflection. */
const STANDARD_PATH = "/grpc.";

/** A request whose response fails is reset; nothing that a peer sends throws. */
export function createHttpHandler(
	router: ConnectRouter,
	unauthenticated: UnauthenticatedPeers,
	log: Logger,
): HttpHandler {
	const methods = new Map(
		router.handlers.map((method) => [method.requestPath, method]),
	);
	const readBody = createBodyReader();

	async function serve(
		request: HttpRequest,
		response: HttpResponse,
		onKnown: () => void,
	): Promise<void> {
		const path = request.url?.split("?", 1)[0] ?? "";
		const method = methods.get(path);
		if (method === undefined) return refuseUnknown(request, response);
		const isStandard = path.startsWith(STANDARD_PATH);
		// Many are reset as soon as they are opened: what follows would be done for nothing.
		if (isStandard) await nextTurn();
		if ("stream" in request && request.stream.destroyed) return;
		const limits = isStandard ? STANDARD_BODY : CALL_BODY;
		const call = toUniversalRequest(request, response, onKnown);
		if (call === undefined) return refuse(response, 400);
		limitUpload(request, limits.maxMs);
		const body = readBody(request, response, limits);
		const result = withReadableMessage(await method({ ...call, body }));
		await universalResponseToNodeResponse(result, response);
	}

	return (request, response) => {
		const peer = request.socket;
		const admission = unauthenticated.begin(peer);
		if (admission.kind === "never") return;
		if (admission.kind === "later") return refuseForNow(request);
		let onKnown = () => {};
		if (admission.kind === "unauthenticated") {
			onKnown = () => unauthenticated.know(peer);
			const ended = "stream" in request ? request.stream : response;
			ended.once("close", admission.end);
		}
		serve(request, response, onKnown).catch((error: unknown) => {
			log.debug({ err: error }, "an rpc response could not be written");
			reset(request);
		});
	};
}

/** Undefined when the request names no host that a URL can contain. */
function toUniversalRequest(
	request: HttpRequest,
	response: HttpResponse,
	onKnown: () => void,
): UniversalServerRequest | undefined {
	try {
		const values = peerOf(request).set(onKnownKey, onKnown);
		return universalRequestFromNodeRequest(
			...([request, response, undefined, values] as const),
		);
	} catch {
		return undefined;
	}
}

function peerOf({ socket }: HttpRequest): ContextValues {
	const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
	return createContextValues().set(peerAddressKey, address);
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

/** grpc-js decodes only as far as decodeURI does and would show "%3A" for a colon. */
function percentEncode(message: string): string {
	return message.replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}
