import type { IncomingMessage } from "node:http";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import {
	toRequestId,
	withRequestId,
} from "@airtower/platform/runtime/request-context";
import type {
	onRequestHookHandler,
	onSendHookHandler,
	preHandlerHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import { sendRefusal } from "./errors.ts";

export function requestIdOf(request: IncomingMessage): string {
	return toRequestId(request.headers["x-request-id"]);
}

/** Runs a handler with the request's id and for its key's organization alone; RPC calls and log lines carry both. */
export const carryRequest: preHandlerHookHandler = (request, _reply, done) =>
	withRequestId(request.id, () =>
		onBehalfOf(request.caller?.organizationId ?? "*", done),
	);

export const setCommonHeaders: onRequestHookHandler = (
	request,
	reply,
	done,
) => {
	reply.header("x-request-id", request.id);
	reply.header("cache-control", "no-store");
	reply.header("x-content-type-options", "nosniff");
	done();
};

/** As late as can be: a request may have been running when the stop began, and its connection is idle after it. */
export function closeWhileDraining(ctx: Context): onSendHookHandler {
	return (_request, reply, payload, done) => {
		if (ctx.isDraining) reply.header("connection", "close");
		done(null, payload);
	};
}

/** Refuses HTTP/1.1 without Host or with two (RFC 9112, 3.2); the server's own refusal would have no request id. */
export const requireHost: onRequestHookHandler = (request, reply, done) => {
	const { headers, httpVersion } = request.raw;
	// Several headers are joined by commas, which no host holds.
	const isBad = headers.host?.includes(",") ?? httpVersion === "1.1";
	if (isBad) return sendRefusal(reply, { code: "bad_request" });
	done();
};
