import {
	type OrganizationState,
	SENDING_STATES,
} from "./organization-state.ts";

interface WantedUnit {
	readonly organizationId: string;
	readonly messageId: string;
}

export interface ReservationOutcome {
	/** Null: unknown. */
	readonly state: OrganizationState | null;
	/** The balance after the debit that an earlier call made for this message; null when there was none. */
	readonly earlierBalance: number | null;
	/** That earlier reservation was given back. */
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

export function reservationKey(unit: WantedUnit): string {
	return `${unit.organizationId} ${unit.messageId}`;
}

/** A message keeps its decision, even in a suspended or empty organization; what was given back stays so. */
export function decide(outcome: ReservationOutcome): Decision {
	const { state, earlierBalance, released, balanceAfter } = outcome;
	if (released) return refused("reservation_released");
	if (earlierBalance !== null)
		return { kind: "repeated", balanceAfter: earlierBalance };
	if (state === null) return refused("unknown_organization");
	if (!SENDING_STATES.includes(state)) return refused("organization_suspended");
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
