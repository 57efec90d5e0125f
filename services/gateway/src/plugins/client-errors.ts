import {
	type IncomingMessage,
	type ServerResponse,
	STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { type ErrorCode, errorTable } from "../schemas/errors.ts";
import { errorText, JSON_TYPE } from "./errors.ts";

/** Responds to what the HTTP parser refused, where no request exists yet. */
interface ClientErrors {
	readonly noteRequest: (
		request: IncomingMessage,
		response: ServerResponse,
	) => void;
	/** Closes the connection, after an error of its own or after the responses that are due. */
	readonly respond: (error: ParserError, socket: Socket) => void;
}

export function createClientErrors(): ClientErrors {
	/** The responses that are not sent yet, in the order of their requests. */
	const pending = new WeakMap<Socket, Set<ServerResponse>>();
	/** Connections that end with a response: whatever else comes in on them is not looked at. */
	const ending = new WeakSet<Socket>();

	return {
		noteRequest: ({ socket }, response) => {
			const responses = pending.get(socket) ?? new Set();
			pending.set(socket, responses.add(response));
			response.once("close", () => responses.delete(response));
		},
		respond: (error, socket) => {
			if (ending.has(socket)) return;
			if (error.code === "ECONNRESET" || !socket.writable) {
				socket.destroy();
				return;
			}
			const last = [...(pending.get(socket) ?? [])].findLast(isDue);
			if (last === undefined) return endWithError(error, socket);
			ending.add(socket);
			endAfter(last, socket);
		},
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
