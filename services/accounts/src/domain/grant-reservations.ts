/** A unit that a message wants. */
export interface WantedUnit {
	readonly organizationId: string;
	readonly messageId: string;
}

/** What the database knows of an organization whose balance is locked. */
export interface LockedAccount {
	readonly balance: number;
	readonly maySend: boolean;
}

/** An earlier reservation of the same message. */
export interface EarlierReservation {
	readonly balanceAfter: number;
	readonly released: boolean;
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
 * Decides one unit per message in order of arrival, each organization on its own balance.
 * A message that was reserved before keeps its answer; a message named twice is decided once.
 * A reservation that was given back stays so: granting it again would be a message for nothing.
 */
export function grantReservations(
	wanted: readonly WantedUnit[],
	accounts: ReadonlyMap<string, LockedAccount>,
	earlier: ReadonlyMap<string, EarlierReservation>,
): Decision[] {
	const balances = new Map<string, number>();
	const decided = new Map<string, Decision>();
	return wanted.map((unit) => {
		const key = reservationKey(unit);
		const known = decided.get(key);
		if (known !== undefined) return repeated(known);
		const decision = decide(unit, accounts, earlier.get(key), balances);
		decided.set(key, decision);
		return decision;
	});
}

function repeated(decision: Decision): Decision {
	return decision.kind === "granted"
		? { kind: "repeated", balanceAfter: decision.balanceAfter }
		: decision;
}

function decide(
	unit: WantedUnit,
	accounts: ReadonlyMap<string, LockedAccount>,
	earlier: EarlierReservation | undefined,
	balances: Map<string, number>,
): Decision {
	if (earlier?.released) return refused("reservation_released");
	if (earlier !== undefined)
		return { kind: "repeated", balanceAfter: earlier.balanceAfter };
	const account = accounts.get(unit.organizationId);
	if (account === undefined) return refused("unknown_organization");
	if (!account.maySend) return refused("organization_suspended");
	const balance = balances.get(unit.organizationId) ?? account.balance;
	if (balance < 1) return refused("quota_exhausted");
	balances.set(unit.organizationId, balance - 1);
	return { kind: "granted", balanceAfter: balance - 1 };
}

function refused(reason: Refusal): Decision {
	return { kind: "refused", reason };
}
