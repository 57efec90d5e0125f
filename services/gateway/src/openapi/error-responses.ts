import type { Access } from "../domain/access.ts";
import { detailTable } from "../schemas/error-body.ts";
import { type ErrorCode, errorTable, retryAfterS } from "../schemas/errors.ts";
import { JSON_TYPE, type Response } from "./document.ts";
import { headerRefs, rateHeaders } from "./headers.ts";

/** Refused by the HTTP server itself, whatever the operation. */
const SERVER_ERRORS: readonly ErrorCode[] = ["headers_too_large"];

const KEY_ERRORS: readonly ErrorCode[] = [
	"validation_failed",
	"missing_api_key",
	"invalid_api_key",
	"insufficient_scope",
	"organization_suspended",
	"rate_limited",
	"too_many_failures",
	"internal_error",
	"service_unavailable",
];

const BODY_ERRORS: readonly ErrorCode[] = [
	"malformed_json",
	"empty_body",
	"body_too_large",
	"unsupported_media_type",
];

const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = [
	"invalid_idempotency_key",
	"idempotency_key_reused",
	"idempotency_key_in_use",
];

/** Statuses of requests whose key is not known. */
const WITHOUT_KEY: ReadonlySet<number> = new Set([401, 431]);

const EXAMPLE_REQUEST_ID = "0199b0a4-5f1b-7000-8000-000000000000";

/** The error responses of an operation by status: those of its kind, then its own. */
export function errorResponses(
	access: Access,
	{
		takesKey,
		hasBody,
	}: { readonly takesKey: boolean; readonly hasBody: boolean },
	own: readonly ErrorCode[],
): Record<string, Response> {
	const codes = [
		...SERVER_ERRORS,
		...keyErrors(access),
		...(hasBody ? BODY_ERRORS : []),
		...(takesKey ? IDEMPOTENCY_ERRORS : []),
		...own,
	];
	const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
	const responses = [...byStatus].map(
		([status, group]) => [status, errorResponse(status, group)] as const,
	);
	return Object.fromEntries(responses);
}

function keyErrors(access: Access): readonly ErrorCode[] {
	if (access.kind === "public") return [];
	return access.whileSuspended === true
		? KEY_ERRORS.filter((code) => code !== "organization_suspended")
		: KEY_ERRORS;
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
	const mayRetry = status === 429 || codes.some((code) => code in retryAfterS);
	const examples = codes.map((code) => [code, { value: errorExample(code) }]);
	return {
		description: codes.map((code) => `\`${code}\``).join(", "),
		headers: headerRefs({
			"x-request-id": "RequestId",
			...(WITHOUT_KEY.has(status) ? {} : rateHeaders),
			...(mayRetry ? { "retry-after": "RetryAfter" } : {}),
		}),
		content: {
			[JSON_TYPE]: {
				schema: { $ref: "#/components/schemas/Error" },
				examples: Object.fromEntries(examples),
			},
		},
	};
}

function errorExample(code: ErrorCode) {
	const detail = {
		field: "to",
		code: "invalid_phone_number",
		message: detailTable.invalid_phone_number,
	};
	const { message } = errorTable[code];
	const details = code === "validation_failed" ? [detail] : [];
	return {
		success: false,
		error: { code, message, details },
		requestId: EXAMPLE_REQUEST_ID,
	};
}
