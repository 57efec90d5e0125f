import {
	type Db,
	isUniqueViolation,
	retryConflicts,
} from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { SENDING_STATES } from "./domain/organization-state.ts";
import {
	type Decision,
	decide,
	type ReservationOutcome,
	repeated,
	reservationKey,
} from "./domain/reservation-decision.ts";
import {
	insertReservations,
	type NewReservation,
} from "./store/reservations.ts";

/** Concurrent calls that reserve one message: no more than this meet. */
const MAX_TRIES = 3;

/**
 * Debits one unit per message, in order of arrival. Identifiers are UUIDs in lower case. Returns one decision per
 * unit, in order. A repeated call returns the same and changes nothing; a message named twice is decided once.
 */
export async function reserveUnits(
	sql: Db,
	units: readonly NewReservation[],
): Promise<Decision[]> {
	if (units.length === 0) return [];
	const outcomes = (await reserve(sql, firstMentions(units))).values();
	fault("accounts.after_reserve_commit");
	const decided = new Map<string, Decision>();
	return units.map((unit) => {
		const key = reservationKey(unit);
		const earlier = decided.get(key);
		if (earlier !== undefined) return repeated(earlier);
		const outcome = outcomes.next().value;
		if (outcome === undefined) throw new Error("A unit was left undecided.");
		const decision = decide(outcome);
		decided.set(key, decision);
		return decision;
	});
}

function firstMentions(units: readonly NewReservation[]): NewReservation[] {
	const first = new Map<string, NewReservation>();
	for (const unit of units) {
		const key = reservationKey(unit);
		if (!first.has(key)) first.set(key, unit);
	}
	return [...first.values()];
}

async function reserve(
	sql: Db,
	units: readonly NewReservation[],
): Promise<ReservationOutcome[]> {
	for (let tries = 1; ; tries++) {
		try {
			return await retryConflicts(() =>
				insertReservations(sql, units, SENDING_STATES),
			);
		} catch (error) {
			const isConcurrent = isUniqueViolation(
				error,
				"ledger_entries_message_unique",
			);
			if (tries >= MAX_TRIES || !isConcurrent) throw error;
		}
	}
}
