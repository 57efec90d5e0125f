import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { type ErrorCode, errorTable } from "../schemas/errors.ts";
import { errorText, JSON_TYPE } from "./errors.ts";

export type ParserError = Error & { readonly code?: string };

const CODE_OF_PARSER_ERROR: Readonly<Record<string, ErrorCode>> = {
	HPE_HEADER_OVERFLOW: "headers_too_large",
	ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

export function endWithError(error: ParserError, socket: Socket): void {
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
