import {
	DomainError,
	type ErrorKind,
} from "@airtower/platform/runtime/domain-error";

export function domainError(
	kind: ErrorKind,
	reason: string,
	message: string,
	field?: string,
): DomainError {
	return new DomainError(
		field === undefined
			? { kind, reason, message }
			: { kind, reason, message, field },
	);
}

/** Messages may be stored yet that nobody sees. */
export function commitOverdue(): DomainError {
	return domainError(
		"unavailable",
		"commit_overdue",
		"Messages are still being stored; ask again later.",
	);
}
