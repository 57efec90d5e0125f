import { DomainError } from "@airtower/platform/runtime/domain-error";

export function unknownOrganization(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_organization",
		message: "There is no such organization.",
	});
}

export function unknownApiKey(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_api_key",
		message: "There is no such API key.",
	});
}

export function unknownPlan(): DomainError {
	return invalid("unknown_plan", "plan", "There is no such plan.");
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
