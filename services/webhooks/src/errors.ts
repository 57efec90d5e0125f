import { DomainError } from "@airtower/platform/runtime/domain-error";
import { MAX_ENDPOINTS_PER_ORGANIZATION } from "./domain/endpoint-state.ts";

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
