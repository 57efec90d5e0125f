import { DomainError } from "@airtower/platform/runtime/domain-error";
import {
	MAX_ENDPOINTS_PER_ORGANIZATION,
	MAX_RETIRED_SECRETS,
	RETIRED_SECRET_HOURS,
} from "./domain/endpoint-state.ts";

export function invalidWebhookUrl(message: string): DomainError {
	return new DomainError({
		kind: "invalid",
		reason: "invalid_webhook_url",
		field: "url",
		message,
	});
}

export function webhookLimitReached(): DomainError {
	return new DomainError({
		kind: "conflict",
		reason: "webhook_limit_reached",
		message: `An organization can have ${MAX_ENDPOINTS_PER_ORGANIZATION} webhook endpoints; delete one first.`,
	});
}

export function unknownWebhookEndpoint(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_webhook_endpoint",
		message: "There is no such webhook endpoint.",
	});
}

export function invalidCursor(): DomainError {
	return new DomainError({
		kind: "invalid",
		reason: "invalid_cursor",
		field: "cursor",
		message: "The cursor does not belong to this list.",
	});
}

export function webhookSecretLimitReached(): DomainError {
	return new DomainError({
		kind: "conflict",
		reason: "webhook_secret_limit_reached",
		message: `A secret can be replaced ${MAX_RETIRED_SECRETS} times in ${RETIRED_SECRET_HOURS} hours.`,
	});
}

/** Told for another organization's delivery too. */
export function unknownWebhookDelivery(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_webhook_delivery",
		message: "There is no such webhook delivery.",
	});
}

export function webhookEndpointDisabled(): DomainError {
	return new DomainError({
		kind: "conflict",
		reason: "webhook_endpoint_disabled",
		message: "The webhook endpoint is disabled; make it active first.",
	});
}
