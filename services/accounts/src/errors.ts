import {
	type DomainError,
	forbidden,
	invalid,
	notFound,
} from "@airtower/platform/runtime/domain-error";

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
	const rule =
		"must be text without control characters or changes of the direction of text";
	return invalid(reason, field, `Field ${field}: ${rule}.`);
}

export function scopeNotAllowed(message: string, field?: string): DomainError {
	return forbidden(
		"scope_not_allowed",
		message,
		field === undefined ? {} : { field },
	);
}
