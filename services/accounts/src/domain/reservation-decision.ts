import { maySend, type OrganizationState } from "./organization-state.ts";

/** A unit that a message wants. */
export interface WantedUnit {
	readonly organizationId: string;
	readonly messageId: string;
}

/** What the database found and did for one unit. */
export interface ReservationOutcome {
	/** Null for an unknown organization. */
	readonly state: OrganizationState | null;
	/** The balance after the debit that an earlier call made for this message; null when there was none. */
	readonly earlierBalance: number | null;
	/** True when that earlier reservation was given back. */
	readonly released: boolean;
	/** The balance after the debit that this call made; null when it made none. */
	readonly balanceAfter: number | null;
}

export type Refusal =
	| "quota_exhausted"
	| "organization_suspended"
	| "unknown_organization"
	| "reservation_released";

export type Decision =
	| { readonly kind: "granted"; readonly balanceAfter: number }
	| { readonly kind: "repeated"; readonly balanceAfter: number }
	| { readonly kind: "refused"; readonly reason: Refusal };

/** The name of a reservation among all organizations'. */
export function reservationKey(unit: WantedUnit): string {
	return `${unit.organizationId} ${unit.messageId}`;
}

/**
 * A message that was reserved before keeps its decision, even in a suspended or empty organization. A
 * reservation that was given back stays so: granting it again would be a message for nothing.
 */
export function decide(outcome: ReservationOutcome): Decision {
	const { state, earlierBalance, released, balanceAfter } = outcome;
	if (released) return refused("reservation_released");
	if (earlierBalance !== null)
		return { kind: "repeated", balanceAfter: earlierBalance };
	if (state === null) return refused("unknown_organization");
	if (!maySend(state)) return refused("organization_suspended");
	if (balanceAfter === null) return refused("quota_exhausted");
	return { kind: "granted", balanceAfter };
}

/** The decision on a further mention of a message in one call. */
export function repeated(decision: Decision): Decision {
	return decision.kind === "granted"
		? { kind: "repeated", balanceAfter: decision.balanceAfter }
		: decision;
}

function refused(reason: Refusal): Decision {
	return { kind: "refused", reason };
}
