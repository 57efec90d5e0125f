interface ErrorEntry {
	readonly status: number;
	readonly message: string;
}

function errors<const T extends Record<string, string>>(
	status: number,
	messages: T,
): { readonly [Code in keyof T]: ErrorEntry } {
	const entries = Object.entries(messages).map(
		([code, message]) => [code, { status, message }] as const,
	);
	return Object.fromEntries(entries) as { [Code in keyof T]: ErrorEntry };
}

/** Every public error code with its HTTP status: the one place where reasons become statuses. */
export const errorTable = {
	...errors(400, {
		validation_failed:
			"The request has invalid fields; details names each of them.",
		malformed_json: "The body is not valid JSON.",
		empty_body: "The request needs a JSON body.",
		bad_request: "The request is not valid HTTP.",
		invalid_idempotency_key:
			"An Idempotency-Key has 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'.",
		invalid_cursor:
			"The cursor does not belong to this list; take nextCursor of the page before, unchanged.",
		sender_required: "Name a sender, or have one approved as the default.",
		unknown_sender: "There is no such sender ID.",
		unknown_phone_number: "The organization has no such WhatsApp number.",
		template_not_found: "There is no such template in this language.",
		template_not_sendable: [
			"The template is not approved, is disabled, is neither utility nor authentication,",
			"or takes more than parameters of its body.",
		].join(" "),
		template_category_mismatch:
			"The template has another category than the request names.",
		template_parameters_mismatch:
			"The template takes another number of parameters.",
	}),
	...errors(401, {
		missing_api_key:
			"Send an API key as 'Authorization: Bearer <key>' or in the header x-api-key.",
		invalid_api_key: "The API key is malformed, unknown, revoked or expired.",
		invalid_callback_signature:
			"The signature of the callback is missing or wrong.",
	}),
	...errors(403, {
		insufficient_scope:
			"The API key does not have the scope of this operation.",
		organization_suspended: "The organization is suspended or closed.",
		sender_not_approved: "The sender ID is not approved.",
		recipient_opted_out:
			"The number has opted out of messages from this sender.",
		quota_exhausted: "The organization has no SMS quota left.",
		scope_not_allowed:
			"A key may neither create nor revoke keys that may do more than itself.",
		invalid_verify_token: "The verify token is not the configured one.",
	}),
	...errors(404, {
		route_not_found: "There is no such path.",
		unknown_contact: "There is no such contact.",
		unknown_opt_out: "There is no such opt-out.",
		unknown_campaign: "There is no such campaign.",
		unknown_message: "There is no such message.",
		unknown_api_key: "There is no such API key.",
		unknown_webhook_endpoint: "There is no such webhook endpoint.",
		unknown_webhook_delivery: "There is no such webhook delivery.",
	}),
	...errors(405, {
		method_not_allowed:
			"The path does not take this method; the header Allow lists those it takes.",
	}),
	...errors(408, { request_timeout: "The request did not arrive in time." }),
	...errors(409, {
		sender_id_exists: "This sender ID is already requested or approved.",
		sender_id_limit_reached:
			"The organization has all the sender IDs it may have.",
		contact_exists: "A contact with this phone number exists.",
		contact_limit_reached: "The organization has all the contacts it may have.",
		api_key_exists: "An active API key of this name exists.",
		api_key_limit_reached:
			"The organization has all the active API keys it may have.",
		campaign_limit_reached:
			"The organization has as many campaigns that have not sent to everybody yet as it may have.",
		campaign_ended: "The campaign has ended; it changes no more.",
		not_cancelable:
			"The message has been sent, is being sent or has ended; it cannot be canceled any more.",
		service_window_closed:
			"The user has not written within the last 24 hours; send a template.",
		webhook_limit_reached:
			"The organization has all the webhook endpoints it may have.",
		webhook_secret_limit_reached:
			"The secret of the webhook endpoint was replaced too often today.",
		webhook_endpoint_disabled:
			"The webhook endpoint is disabled; make it active first.",
		idempotency_key_reused:
			"The Idempotency-Key was used with another request.",
		idempotency_key_in_use:
			"A request with this Idempotency-Key is in progress; repeat it in a second.",
	}),
	...errors(413, {
		body_too_large: "The body is larger than this path takes.",
	}),
	...errors(415, {
		unsupported_media_type: "Send the body as application/json.",
	}),
	...errors(429, {
		rate_limited: "Too many requests; wait as long as Retry-After says.",
		too_many_failures:
			"Too many failed authentications from this address; wait as long as Retry-After says. A valid key is let through.",
	}),
	...errors(431, { headers_too_large: "The headers are larger than 16 KiB." }),
	...errors(500, {
		internal_error:
			"Something went wrong on our side; quote the requestId when you ask us about it.",
	}),
	...errors(503, {
		service_unavailable:
			"A part of the service cannot take the request at the moment. Repeat the request with the same Idempotency-Key.",
	}),
};

export type ErrorCode = keyof typeof errorTable;

/** Codes after which the same request makes sense again, with the seconds to wait. */
export const retryAfterS: Partial<Record<ErrorCode, number>> = {
	idempotency_key_in_use: 1,
	service_unavailable: 1,
};
