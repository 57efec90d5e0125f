import { type Db, type Tx, transaction } from "@airtower/platform/database";
import { fault } from "@airtower/platform/fault";
import { uuidv7 } from "@airtower/platform/ids";
import {
	type Decision,
	type EarlierReservation,
	grantReservations,
	type LockedAccount,
	reservationKey,
	type WantedUnit,
} from "./domain/grant-reservations.ts";
import { maySend } from "./domain/organization-state.ts";
import { lockBalances, updateBalances } from "./store/balances.ts";
import {
	type Channel,
	findReservations,
	insertLedgerEntries,
	type NewLedgerEntry,
} from "./store/ledger-entries.ts";

/** One unit for one message; identifiers are UUIDs in lower case. */
export interface ReservationUnit extends WantedUnit {
	readonly channel: Channel;
	readonly campaignId: string | null;
}

/**
 * Debits one unit per message in one transaction and answers one decision per unit, in order.
 * A repeated call answers the same and changes nothing. The balances' locks make batches that
 * touch the same organization take turns, so the look-up of earlier reservations after them is complete.
 */
export async function reserveUnits(
	sql: Db,
	units: readonly ReservationUnit[],
): Promise<Decision[]> {
	if (units.length === 0) return [];
	const decisions = await transaction(sql, async (sql) => {
		// Sent together and carried out one after the other: the second sees what the locks waited for.
		const [accounts, earlier] = await Promise.all([
			lockAccounts(sql, units),
			findEarlier(sql, units),
		]);
		const decided = grantReservations(units, accounts, earlier);
		await debit(sql, units, decided);
		fault("accounts.before_reserve_commit");
		return decided;
	});
	fault("accounts.after_reserve_commit");
	return decisions;
}

async function lockAccounts(
	sql: Tx,
	units: readonly ReservationUnit[],
): Promise<Map<string, LockedAccount>> {
	const ids = new Set(units.map((unit) => unit.organizationId));
	const rows = await lockBalances(sql, [...ids]);
	return new Map(
		rows.map((row) => [
			row.organizationId,
			{ balance: row.balance, maySend: maySend(row.state) },
		]),
	);
}

async function findEarlier(
	sql: Tx,
	units: readonly ReservationUnit[],
): Promise<Map<string, EarlierReservation>> {
	const rows = await findReservations(sql, units);
	return new Map(rows.map((row) => [reservationKey(row), row]));
}

async function debit(
	sql: Tx,
	units: readonly ReservationUnit[],
	decisions: readonly Decision[],
): Promise<void> {
	const entries: NewLedgerEntry[] = [];
	const balances = new Map<string, number>();
	units.forEach((unit, index) => {
		const decision = decisions[index];
		if (decision?.kind !== "granted") return;
		entries.push(usageEntry(unit, decision.balanceAfter));
		balances.set(unit.organizationId, decision.balanceAfter);
	});
	if (entries.length === 0) return;
	await Promise.all([
		insertLedgerEntries(sql, entries),
		updateBalances(sql, balances),
	]);
}

function usageEntry(
	unit: ReservationUnit,
	balanceAfter: number,
): NewLedgerEntry {
	return {
		id: uuidv7(),
		organizationId: unit.organizationId,
		kind: "usage",
		units: -1,
		balanceAfter,
		channel: unit.channel,
		messageId: unit.messageId,
		campaignId: unit.campaignId,
		grantId: null,
		note: null,
	};
}
