import {
	conflict,
	type DomainError,
	invalid,
	notFound,
} from "@airtower/platform/runtime/domain-error";
import {
	MAX_ENDPOINTS_PER_ORGANIZATION,
	MAX_RETIRED_SECRETS,
	RETIRED_SECRET_HOURS,
} from "./domain/endpoint-state.ts";

export function invalidWebhookUrl(message: string): DomainError {
	return invalid("invalid_webhook_url", "url", message);
}

export function webhookLimitReached(): DomainError {
	return conflict(
		"webhook_limit_reached",
		`An organization can have ${MAX_ENDPOINTS_PER_ORGANIZATION} webhook endpoints; delete one first.`,
	);
}

export function unknownWebhookEndpoint(): DomainError {
	return notFound(
		"unknown_webhook_endpoint",
		"There is no such webhook endpoint.",
	);
}

export function webhookSecretLimitReached(): DomainError {
	return conflict(
		"webhook_secret_limit_reached",
		`A secret can be replaced ${MAX_RETIRED_SECRETS} times in ${RETIRED_SECRET_HOURS} hours.`,
	);
}

/** Told for another organization's delivery too. */
export function unknownWebhookDelivery(): DomainError {
	return notFound(
		"unknown_webhook_delivery",
		"There is no such webhook delivery.",
	);
}

export function webhookEndpointDisabled(): DomainError {
	return conflict(
		"webhook_endpoint_disabled",
		"The webhook endpoint is disabled; make it active first.",
	);
}
