import {
	type Db,
	isUniqueViolation,
	retryConflicts,
} from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { SENDING_STATES } from "./domain/organization-state.ts";
import {
	type Decision,
	decisionOf,
	type ReservationAnswer,
	repeated,
	reservationKey,
} from "./domain/reservation-decision.ts";
import {
	insertReservations,
	type NewReservation,
} from "./store/reservations.ts";

/** One unit for one message; identifiers are UUIDs in lower case. */
export type ReservationUnit = NewReservation;

/** Calls that reserve one message at once: more of them than this do not meet. */
const MAX_TRIES = 3;

/**
 * Debits one unit per message, in order of arrival, and answers one decision per unit, in order.
 * A repeated call answers the same and changes nothing; a message named twice is decided once.
 */
export async function reserveUnits(
	sql: Db,
	units: readonly ReservationUnit[],
): Promise<Decision[]> {
	if (units.length === 0) return [];
	const distinct = new Map<string, ReservationUnit>();
	for (const unit of units) {
		const key = reservationKey(unit);
		if (!distinct.has(key)) distinct.set(key, unit);
	}
	const answers = await reserve(sql, [...distinct.values()]);
	fault("accounts.after_reserve_commit");
	const decided = new Map<string, Decision>();
	[...distinct.keys()].forEach((key, index) => {
		const answer = answers[index];
		if (answer === undefined) throw new Error("A unit was left undecided.");
		decided.set(key, decisionOf(answer));
	});
	return inOrder(units, decided);
}

/** The first mention of a message has its decision, each further one repeats it. */
function inOrder(
	units: readonly ReservationUnit[],
	decided: ReadonlyMap<string, Decision>,
): Decision[] {
	const mentioned = new Set<string>();
	return units.map((unit) => {
		const key = reservationKey(unit);
		const decision = decided.get(key);
		if (decision === undefined) throw new Error("A unit was left undecided.");
		const again = mentioned.has(key);
		mentioned.add(key);
		return again ? repeated(decision) : decision;
	});
}

async function reserve(
	sql: Db,
	units: readonly ReservationUnit[],
): Promise<ReservationAnswer[]> {
	for (let tries = 1; ; tries++) {
		try {
			return await retryConflicts(() =>
				insertReservations(sql, units, SENDING_STATES),
			);
		} catch (error) {
			const reservedMeanwhile = isUniqueViolation(
				error,
				"ledger_entries_message_unique",
			);
			if (tries >= MAX_TRIES || !reservedMeanwhile) throw error;
		}
	}
}
