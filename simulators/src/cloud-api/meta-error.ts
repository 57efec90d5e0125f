import { randomBytes } from "node:crypto";

export interface MetaError {
	readonly httpStatus: number;
	readonly code: number;
	readonly subcode?: number;
	readonly message: string;
	readonly details: string;
}

const ERRORS = {
	190: [401, "Authentication Error", "The access token is not valid."],
	100: [400, "Invalid parameter", "A parameter is missing or not valid."],
	130429: [
		429,
		"Rate limit hit",
		"Message failed to send because there were too many messages sent from this phone number " +
			"in a short period of time.",
	],
	131008: [
		400,
		"Required parameter is missing",
		"A required parameter is missing.",
	],
	131009: [
		400,
		"Parameter value is not valid",
		"A parameter value is not valid.",
	],
	131051: [
		400,
		"Unsupported message type",
		"The message type is not supported.",
	],
	132000: [
		400,
		"Number of parameters does not match the expected number of params",
		"The number of localizable_params does not match the expected number of params.",
	],
	132001: [
		404,
		"Template name does not exist in the translation",
		"The template does not exist in this language.",
	],
	132015: [
		400,
		"Template is paused",
		"The template is paused because of low quality.",
	],
	132016: [400, "Template is disabled", "The template is disabled."],
} as const satisfies Record<number, readonly [number, string, string]>;

type MetaErrorCode = keyof typeof ERRORS;

export function metaError(code: MetaErrorCode, details?: string): MetaError {
	const [httpStatus, message, known] = ERRORS[code];
	return { httpStatus, code, message, details: details ?? known };
}

/** An id in the path that is nobody's, or that the token may not use. */
export function unknownObject(id: string): MetaError {
	return {
		httpStatus: 400,
		code: 100,
		subcode: 33,
		message: `Object with ID '${id}' does not exist, or the token may not use it.`,
		details: "",
	};
}

export function toErrorBody(error: MetaError): object {
	return {
		error: {
			message: `(#${error.code}) ${error.message}`,
			type: "OAuthException",
			code: error.code,
			...(error.subcode !== undefined && { error_subcode: error.subcode }),
			error_data: { messaging_product: "whatsapp", details: error.details },
			fbtrace_id: randomBytes(8).toString("base64url"),
		},
	};
}
