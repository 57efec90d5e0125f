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
