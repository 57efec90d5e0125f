import { type Db, retryConflicts } from "@airtower/platform/database/database";
import { isUniqueViolation } from "@airtower/platform/database/sql-errors";
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

/** More concurrent calls never reserve one message. */
const MAX_TRIES = 3;

/** One decision per unit, in order. Identifiers are UUIDs in lower case; a message named twice is decided once. */
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
	const mentions = [...Map.groupBy(units, reservationKey).values()];
	return mentions.flatMap((same) => same.slice(0, 1));
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
