import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { isOutage } from "@airtower/platform/database/transient-error";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Logger } from "@airtower/platform/runtime/log";
import type { FastifyError, FastifyRequest } from "fastify";
import { type Refusal, RefusalError, refusalFromDomain } from "../errors.ts";
import type { ErrorBody } from "../schemas/error-body.ts";
import {
	type ErrorCode,
	errorTable,
	retryAfterS as usualRetryAfterS,
} from "../schemas/errors.ts";
import { ValidationError } from "./request-input.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** Why the request was refused, once it was. */
		refusal: Refusal | undefined;
	}
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Longest body that is read to its end though it is refused. */
const MAX_READ_OUT_BYTES = 32 * 1_048_576;

/** The part of a reply that an error needs, whatever responses its route declares. */
interface AnyReply {
	readonly request: Pick<FastifyRequest, "id" | "refusal">;
	code(status: number): unknown;
	header(name: string, value: string | number): unknown;
	removeHeader(name: string): unknown;
	serializer(serialize: (payload: string) => string): unknown;
	send(payload?: unknown): unknown;
}

export function sendRefusal(reply: AnyReply, refusal: Refusal): void {
	const { code, retryAfterS = usualRetryAfterS[code] } = refusal;
	const { status } = errorTable[code];
	reply.request.refusal = refusal;
	reply.code(status);
	reply.header("content-type", JSON_TYPE);
	if (retryAfterS !== undefined) reply.header("retry-after", retryAfterS);
	if (status === 401)
		reply.header("www-authenticate", 'Bearer realm="airtower"');
	reply.serializer((payload) => payload);
	reply.send(errorText(refusal, reply.request.id));
}

function errorText(refusal: Refusal, requestId: string): string {
	const body: ErrorBody = {
		success: false,
		error: toError(refusal),
		requestId,
	};
	return JSON.stringify(body);
}

export function toError(refusal: Refusal): ErrorBody["error"] {
	const { code, message = errorTable[code].message, details = [] } = refusal;
	return { code, message, details: [...details] };
}

/** Responds to a path that the router cannot read. */
export function refuseUnroutable(
	error: { readonly code: string },
	{ id }: Pick<FastifyRequest, "id">,
	reply: AnyReply,
): void {
	reply.header("x-request-id", id);
	const unknown = error.code === "FST_ERR_MAX_PARAM_LENGTH";
	sendRefusal(reply, { code: unknown ? "route_not_found" : "bad_request" });
}

/** Responds to whatever was thrown; what nobody foresaw is logged, and internal_error outside. */
export function createErrorHandler(log: Logger, isStopping: () => boolean) {
	return (err: unknown, request: FastifyRequest, reply: AnyReply): void => {
		const refusal = refusalFrom(err, request);
		// The framework closes the connection after any body it could not use. A client that still writes would lose
		// the response, one that has written it all those of requests that follow on the same connection.
		const isLate = refusal.code === "request_timeout";
		if (isReadSoon(request) && !isLate && !isStopping())
			reply.removeHeader("connection");
		const { id: requestId } = request;
		if (refusal.code === "internal_error")
			log.error({ err, requestId }, "request failed");
		else if (refusal.code === "service_unavailable")
			log.debug({ err, requestId }, "a service did not respond");
		sendRefusal(reply, refusal);
	};
}

/** True when all of the body was read, or when the rest, which Node reads and throws away, is not too long. */
function isReadSoon({ raw, headers }: FastifyRequest): boolean {
	return (
		raw.complete || Number(headers["content-length"]) <= MAX_READ_OUT_BYTES
	);
}

const CODE_OF_FRAMEWORK_ERROR: Readonly<Record<string, ErrorCode>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
	FST_ERR_CTP_EMPTY_JSON_BODY: "empty_body",
	FST_ERR_CTP_INVALID_JSON_BODY: "malformed_json",
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
	FST_ERR_MAX_PARAM_LENGTH: "route_not_found",
};

function refusalFrom(
	error: unknown,
	request: Pick<FastifyRequest, "body">,
): Refusal {
	if (error instanceof RefusalError) return error.refusal;
	if (error instanceof ValidationError) {
		const { details, validationContext } = error;
		return validationContext === "body" && request.body === undefined
			? { code: "empty_body" }
			: { code: "validation_failed", details };
	}
	const domainError = domainErrorFrom(error);
	if (domainError !== undefined) return refusalFromDomain(domainError);
	const { code, statusCode = 500 } = error as Partial<FastifyError>;
	const known = CODE_OF_FRAMEWORK_ERROR[code ?? ""];
	if (known !== undefined) return { code: known };
	// Of the gateway's own database: what other services fail with are domain errors.
	if (isOutage(error)) return { code: "service_unavailable" };
	if (error instanceof SyntaxError && statusCode === 400)
		return { code: "malformed_json" };
	const isClientError = statusCode >= 400 && statusCode < 500;
	return { code: isClientError ? "bad_request" : "internal_error" };
}

/**
 * Responds to what the HTTP parser refused, where no request exists yet: closes the connection, after an error of its
 * own or after the responses that are due.
 * @param pendingOn responses of a connection that are not sent yet, in the order of their requests
 */
export function createClientErrorHandler(
	pendingOn: (socket: Socket) => readonly ServerResponse[],
): (error: ParserError, socket: Socket) => void {
	/** Connections that end with a response: whatever else comes in on them is not looked at. */
	const ending = new WeakSet<Socket>();

	return (error, socket) => {
		if (ending.has(socket)) return;
		if (error.code === "ECONNRESET" || !socket.writable) {
			socket.destroy();
			return;
		}
		const last = pendingOn(socket).findLast(isDue);
		if (last === undefined) return endWithError(error, socket);
		ending.add(socket);
		endAfter(last, socket);
	};
}

/** False for a request whose body is broken: it is not carried out, and gets no response. */
function isDue({ req, headersSent }: ServerResponse): boolean {
	return req.complete || headersSent;
}

/** The client would take an error now for the response to a request before, and send that one again. */
function endAfter(response: ServerResponse, socket: Socket): void {
	if (!response.headersSent) response.setHeader("connection", "close");
	response.once("close", () => socket.destroySoon());
}

type ParserError = Error & { readonly code?: string };

const CODE_OF_PARSER_ERROR: Readonly<Record<string, ErrorCode>> = {
	HPE_HEADER_OVERFLOW: "headers_too_large",
	ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

function endWithError(error: ParserError, socket: Socket): void {
	const code = CODE_OF_PARSER_ERROR[error.code ?? ""] ?? "bad_request";
	const { status } = errorTable[code];
	const requestId = uuidv7();
	const body = errorText({ code }, requestId);
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		`content-type: ${JSON_TYPE}`,
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${requestId}`,
		"connection: close",
	];
	socket.end([...head, "", body].join("\r\n"));
}
