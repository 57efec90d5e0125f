import type { DomainError } from "@airtower/platform/runtime/domain-error";

interface ErrorEntry {
	readonly status: number;
	/** What a client reads when nothing more exact is known. */
	readonly message: string;
	/** Seconds after which a repeated request makes sense. */
	readonly retryAfterS?: number;
}

/** Every public error code with its HTTP status: the one place where reasons become statuses. */
export const errorTable = {
	validation_failed: {
		status: 400,
		message: "The request has invalid fields; details names each of them.",
	},
	malformed_json: { status: 400, message: "The body is not valid JSON." },
	empty_body: { status: 400, message: "The request needs a JSON body." },
	bad_request: { status: 400, message: "The request is not valid HTTP." },
	invalid_idempotency_key: {
		status: 400,
		message:
			"An Idempotency-Key has 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'.",
	},
	invalid_cursor: {
		status: 400,
		message:
			"The cursor does not belong to this list; take nextCursor of the page before, unchanged.",
	},
	sender_required: {
		status: 400,
		message: "Name a sender, or have one approved as the default.",
	},
	unknown_sender: { status: 400, message: "There is no such sender ID." },
	unknown_phone_number: {
		status: 400,
		message: "The organization has no such WhatsApp number.",
	},
	template_not_found: {
		status: 400,
		message: "There is no such template in this language.",
	},
	template_not_sendable: {
		status: 400,
		message:
			"The template is not approved, is disabled, is neither utility nor authentication, or takes more than parameters of its body.",
	},
	template_category_mismatch: {
		status: 400,
		message: "The template has another category than the request names.",
	},
	template_parameters_mismatch: {
		status: 400,
		message: "The template takes another number of parameters.",
	},
	missing_api_key: {
		status: 401,
		message:
			"Send an API key as 'Authorization: Bearer <key>' or in the header x-api-key.",
	},
	invalid_api_key: {
		status: 401,
		message: "The API key is malformed, unknown, revoked or expired.",
	},
	invalid_callback_signature: {
		status: 401,
		message: "The signature of the callback is missing or wrong.",
	},
	insufficient_scope: {
		status: 403,
		message: "The API key does not have the scope of this operation.",
	},
	organization_suspended: {
		status: 403,
		message: "The organization is suspended or closed.",
	},
	sender_not_approved: {
		status: 403,
		message: "The sender ID is not approved.",
	},
	quota_exhausted: {
		status: 403,
		message: "The organization has no SMS quota left.",
	},
	scope_not_allowed: {
		status: 403,
		message: "A new key may not do more than the key that creates it.",
	},
	invalid_verify_token: {
		status: 403,
		message: "The verify token is not the configured one.",
	},
	route_not_found: { status: 404, message: "There is no such path." },
	unknown_contact: { status: 404, message: "There is no such contact." },
	unknown_api_key: { status: 404, message: "There is no such API key." },
	unknown_webhook_endpoint: {
		status: 404,
		message: "There is no such webhook endpoint.",
	},
	method_not_allowed: {
		status: 405,
		message:
			"The path does not take this method; the header Allow lists those it takes.",
	},
	request_timeout: {
		status: 408,
		message: "The request did not arrive in time.",
	},
	sender_id_exists: {
		status: 409,
		message: "This sender ID is already requested or approved.",
	},
	contact_exists: {
		status: 409,
		message: "A contact with this phone number exists.",
	},
	api_key_exists: {
		status: 409,
		message: "An active API key of this name exists.",
	},
	service_window_closed: {
		status: 409,
		message:
			"The user has not written within the last 24 hours; send a template.",
	},
	webhook_limit_reached: {
		status: 409,
		message: "The organization has all the webhook endpoints it may have.",
	},
	idempotency_key_reused: {
		status: 409,
		message: "The Idempotency-Key was used with another request.",
	},
	idempotency_key_in_use: {
		status: 409,
		message:
			"A request with this Idempotency-Key is under way; repeat it in a second.",
		retryAfterS: 1,
	},
	body_too_large: {
		status: 413,
		message: "The body is larger than this path takes.",
	},
	unsupported_media_type: {
		status: 415,
		message: "Send the body as application/json.",
	},
	rate_limited: {
		status: 429,
		message: "Too many requests; wait as long as Retry-After says.",
	},
	headers_too_large: {
		status: 431,
		message: "The headers are larger than 16 KiB.",
	},
	internal_error: {
		status: 500,
		message:
			"Something went wrong on our side; quote the requestId when you ask us about it.",
	},
	service_unavailable: {
		status: 503,
		message:
			"A part of the service does not answer at the moment. Repeat the request with the same Idempotency-Key.",
		retryAfterS: 1,
	},
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** What a single field can be blamed for, as `details[].code` of a validation_failed error. */
export const detailTable = {
	required: "The field is missing.",
	unknown_field: "The body has a field that the operation does not know.",
	unknown_parameter:
		"The query has a parameter that the operation does not know.",
	invalid_type: "The field has the wrong JSON type.",
	invalid_format: "The field does not have the form it must have.",
	invalid_value: "The field holds none of the values it may have.",
	invalid_characters:
		"The text holds a NUL character or half of a surrogate pair; or, in the name of an API key, any control character.",
	too_short: "The text or list is too short.",
	too_long: "The text or list is too long.",
	too_small: "The number is too small.",
	too_large: "The number is too large.",
	duplicate: "The list holds a value twice.",
	invalid_phone_number: "The recipient is not a valid phone number.",
	message_too_long: "The message has more than 1,600 characters or 10 parts.",
	invalid_sender_id:
		"A sender ID has 3-11 characters with a letter, or 3-15 digits.",
	invalid_webhook_url:
		"The address cannot receive webhooks: it must be https and public.",
	invalid_tags: "At most 50 tags of at most 64 characters each.",
	invalid_template:
		"The text has a place other than {{name}} and {{name|fallback}}.",
	invalid_schedule: "The time must be in the future, within one year.",
	audience_required: "The campaign has nobody to send to.",
	unknown_scope: "There is no such scope.",
	invalid_expiry: "The time must be in the future.",
} as const satisfies Record<string, string>;

export type DetailCode = keyof typeof detailTable;

export interface Detail {
	readonly field: string;
	readonly code: string;
	readonly message: string;
}

/** An error answer, before it is written. */
export interface Refusal {
	readonly code: ErrorCode;
	readonly message?: string;
	readonly details?: readonly Detail[];
	/** Seconds, at least 1; in place of the table's. */
	readonly retryAfterS?: number;
}

/** A refusal on its way up to the error handler. */
export class RefusalError extends Error {
	readonly refusal: Refusal;

	constructor(refusal: Refusal) {
		super(refusal.message ?? errorTable[refusal.code].message);
		this.name = "RefusalError";
		this.refusal = refusal;
	}
}

export function entryOf(code: ErrorCode): ErrorEntry {
	return errorTable[code];
}

/** A service's reason for not doing what was asked. */
export interface Reason {
	readonly reason: string;
	readonly field?: string | undefined;
	readonly message: string;
}

/** Reasons of the RPC layer itself, whose text speaks of contracts that clients do not know. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set<ErrorCode>([
	"validation_failed",
	"internal_error",
	"service_unavailable",
]);

/** Reasons that clients know under the code of another one. */
const CODE_OF_REASON: ReadonlyMap<string, ErrorCode> = new Map([
	["organization_closed", "organization_suspended"],
]);

/**
 * The public answer to a service's reason; undefined for a reason that clients cannot be told.
 * A reason about the form of one field becomes a detail of validation_failed.
 */
export function refusalOfReason({
	reason,
	field = "",
	message,
}: Reason): Refusal | undefined {
	const details = [{ field, code: reason, message }];
	if (isDetailCode(reason)) return { code: "validation_failed", details };
	const code = CODE_OF_REASON.get(reason) ?? reason;
	if (!isErrorCode(code)) return undefined;
	if (WITHOUT_TEXT.has(code)) return { code };
	return { code, message, details: field === "" ? [] : details };
}

/** The public answer to a domain error: by its reason, or else by its kind. */
export function refusalOfDomainError(error: DomainError): Refusal {
	const refusal = refusalOfReason(error);
	if (refusal !== undefined) return refusal;
	if (error.kind === "invalid") return { code: "validation_failed" };
	if (error.kind === "unavailable" || error.kind === "exhausted")
		return { code: "service_unavailable" };
	return { code: "internal_error" };
}

function isErrorCode(reason: string): reason is ErrorCode {
	return Object.hasOwn(errorTable, reason);
}

function isDetailCode(reason: string): reason is DetailCode {
	return Object.hasOwn(detailTable, reason);
}
