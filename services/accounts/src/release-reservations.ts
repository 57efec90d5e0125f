import type { Tx } from "@airtower/platform/database/database";
import { reservationKey } from "./domain/reservation-decision.ts";
import { lockBalances, updateBalances } from "./store/balances.ts";
import {
	insertLedgerEntries,
	type MessageOfOrganization,
	type NewLedgerEntry,
} from "./store/ledger-entries.ts";
import { findReservations, type ReservationRow } from "./store/reservations.ts";

/** A reservation to give back; identifiers are UUIDs in lower case. */
export interface Release extends MessageOfOrganization {
	readonly note: string | null;
}

/** Returns how many were given back: what was never reserved, or was given back before, is passed over. */
export async function releaseReservations(
	sql: Tx,
	releases: readonly Release[],
): Promise<number> {
	if (releases.length === 0) return 0;
	const requested = new Map(
		releases.map((release) => [reservationKey(release), release]),
	);
	const balances = await lockBalancesOf(sql, releases);
	const reservations = await findReservations(sql, [...requested.values()]);
	const entries = reservations
		.filter((reservation) => !reservation.released)
		.map((reservation) => {
			const note = requested.get(reservationKey(reservation))?.note ?? null;
			return { ...credit(balances, reservation), note };
		});
	if (entries.length === 0) return 0;
	await updateBalances(sql, balances);
	await insertLedgerEntries(sql, entries);
	return entries.length;
}

async function lockBalancesOf(
	sql: Tx,
	releases: readonly Release[],
): Promise<Map<string, number>> {
	const ids = new Set(releases.map((release) => release.organizationId));
	const locked = await lockBalances(sql, [...ids]);
	return new Map(locked.map((row) => [row.organizationId, row.balance]));
}

/** Moves the balance and returns the entry that is the opposite of the reservation. */
function credit(
	balances: Map<string, number>,
	reservation: ReservationRow,
): Omit<NewLedgerEntry, "note"> {
	const balance = balances.get(reservation.organizationId);
	if (balance === undefined)
		throw new Error("A reservation has no locked balance.");
	const balanceAfter = balance - reservation.units;
	balances.set(reservation.organizationId, balanceAfter);
	const units = -reservation.units;
	return { ...reservation, kind: "release", units, balanceAfter };
}
