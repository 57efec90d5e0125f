import { DomainError } from "@airtower/platform/runtime/domain-error";

export function unknownOrganization(): DomainError {
	return notFound("unknown_organization", "There is no such organization.");
}

export function unknownApiKey(): DomainError {
	return notFound("unknown_api_key", "There is no such API key.");
}

export function unknownPlan(): DomainError {
	return invalid("unknown_plan", "plan", "There is no such plan.");
}

export function notPlainText(
	field: string,
	reason = "validation_failed",
): DomainError {
	const rule = "must be text without control characters";
	return invalid(reason, field, `Field ${field}: ${rule}.`);
}

/** A request that its contract allows and its meaning does not. */
export function invalid(
	reason: string,
	field: string,
	message: string,
): DomainError {
	return new DomainError({ kind: "invalid", reason, field, message });
}

export function conflict(
	reason: string,
	message: string,
	cause?: unknown,
): DomainError {
	return new DomainError({ kind: "conflict", reason, message, cause });
}

function notFound(reason: string, message: string): DomainError {
	return new DomainError({ kind: "not_found", reason, message });
}

export function scopeNotAllowed(message: string, field?: string): DomainError {
	return new DomainError({
		kind: "forbidden",
		reason: "scope_not_allowed",
		message,
		...(field !== undefined && { field }),
	});
}
