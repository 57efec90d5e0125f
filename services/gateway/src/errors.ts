import type { DomainError } from "@airtower/platform/runtime/domain-error";
import { type DetailCode, detailTable } from "./schemas/error-body.ts";
import { type ErrorCode, errorTable } from "./schemas/errors.ts";

export interface Detail {
	readonly field: string;
	readonly code: string;
	readonly message: string;
}

export interface Refusal {
	readonly code: ErrorCode;
	readonly message?: string;
	readonly details?: readonly Detail[];
	/** Seconds, at least 1; in place of the table's. */
	readonly retryAfterS?: number;
}

export class RefusalError extends Error {
	readonly refusal: Refusal;

	constructor(refusal: Refusal) {
		super(refusal.message ?? errorTable[refusal.code].message);
		this.name = "RefusalError";
		this.refusal = refusal;
	}
}

export interface Reason {
	readonly reason: string;
	readonly field?: string | undefined;
	readonly message: string;
}

/** Reasons of the RPC layer itself, whose text speaks of contracts that clients do not know. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set<ErrorCode>([
	"validation_failed",
	"internal_error",
	"service_unavailable",
]);

/** Reasons that clients know under the code of another one. */
const CODE_OF_REASON: ReadonlyMap<string, ErrorCode> = new Map([
	["organization_closed", "organization_suspended"],
	// A path of callbacks that no operator route has.
	["unknown_route", "route_not_found"],
]);

/** The public form of a service's reason; undefined for a reason that stays inside. */
export function refusalFromReason({
	reason,
	field = "",
	message,
}: Reason): Refusal | undefined {
	const details = [{ field, code: reason, message }];
	if (isDetailCode(reason)) return { code: "validation_failed", details };
	const code = CODE_OF_REASON.get(reason) ?? reason;
	if (!isErrorCode(code)) return undefined;
	if (WITHOUT_TEXT.has(code)) return { code };
	return { code, message, details: field === "" ? [] : details };
}

/** The public form of a domain error: by its reason, or else by its kind. */
export function refusalFromDomain(error: DomainError): Refusal {
	const refusal = refusalFromReason(error);
	if (refusal !== undefined) return refusal;
	if (error.kind === "invalid") return { code: "validation_failed" };
	if (error.kind === "unavailable" || error.kind === "exhausted")
		return { code: "service_unavailable" };
	return { code: "internal_error" };
}

/** The public form of what a service refuses an item of a batch with. */
export function refusalOfItem(reason: Reason | undefined): Refusal {
	const refusal = reason && refusalFromReason(reason);
	return refusal ?? { code: "internal_error" };
}

function isErrorCode(reason: string): reason is ErrorCode {
	return Object.hasOwn(errorTable, reason);
}

function isDetailCode(reason: string): reason is DetailCode {
	return Object.hasOwn(detailTable, reason);
}
