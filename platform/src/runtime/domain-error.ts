export type ErrorKind =
	| "invalid"
	| "unauthenticated"
	| "forbidden"
	| "not_found"
	| "conflict"
	| "exhausted"
	| "unavailable";

interface DomainErrorInit {
	readonly kind: ErrorKind;
	/** Stable snake_case reason, the public error code. */
	readonly reason: string;
	/** One sentence that is safe to show to a client. */
	readonly message: string;
	readonly field?: string;
	readonly cause?: unknown;
}

/** A refusal with a reason: the only error whose message may reach a client. */
export class DomainError extends Error {
	readonly kind: ErrorKind;
	readonly reason: string;
	readonly field: string | undefined;

	constructor(init: DomainErrorInit) {
		super(init.message, { cause: init.cause });
		this.name = "DomainError";
		this.kind = init.kind;
		this.reason = init.reason;
		this.field = init.field;
	}
}

type More = Pick<DomainErrorInit, "field" | "cause">;

/** A request that its contract allows and its meaning does not. */
export function invalid(
	reason: string,
	field: string,
	message: string,
): DomainError {
	return new DomainError({ kind: "invalid", reason, field, message });
}

export function unauthenticated(reason: string, message: string): DomainError {
	return new DomainError({ kind: "unauthenticated", reason, message });
}

export function forbidden(
	reason: string,
	message: string,
	more?: More,
): DomainError {
	return new DomainError({ kind: "forbidden", reason, message, ...more });
}

export function notFound(
	reason: string,
	message: string,
	more?: More,
): DomainError {
	return new DomainError({ kind: "not_found", reason, message, ...more });
}

export function conflict(
	reason: string,
	message: string,
	more?: More,
): DomainError {
	return new DomainError({ kind: "conflict", reason, message, ...more });
}

export function unavailable(
	reason: string,
	message: string,
	more?: More,
): DomainError {
	return new DomainError({ kind: "unavailable", reason, message, ...more });
}
