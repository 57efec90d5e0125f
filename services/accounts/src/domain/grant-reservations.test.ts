import fc from "fast-check";
import { expect, test } from "vitest";
import {
	type EarlierReservation,
	grantReservations,
	type LockedAccount,
	reservationKey,
	type WantedUnit,
} from "./grant-reservations.ts";

const none = new Map<string, EarlierReservation>();

function unit(organizationId: string, messageId: string): WantedUnit {
	return { organizationId, messageId };
}

function account(balance: number, maySend = true): LockedAccount {
	return { balance, maySend };
}

test("a short organization is granted in order of arrival and its neighbour is untouched", () => {
	const decisions = grantReservations(
		[
			unit("short", "1"),
			unit("rich", "2"),
			unit("short", "3"),
			unit("rich", "4"),
		],
		new Map([
			["short", account(1)],
			["rich", account(10)],
		]),
		none,
	);
	expect(decisions).toEqual([
		{ kind: "granted", balanceAfter: 0 },
		{ kind: "granted", balanceAfter: 9 },
		{ kind: "refused", reason: "quota_exhausted" },
		{ kind: "granted", balanceAfter: 8 },
	]);
});

test("an earlier reservation keeps its answer, even in a suspended or empty organization", () => {
	const units = [unit("suspended", "1"), unit("empty", "2")];
	const earlier = new Map(
		units.map((one) => [
			reservationKey(one),
			{ balanceAfter: 7, released: false },
		]),
	);
	const accounts = new Map([
		["suspended", account(5, false)],
		["empty", account(0)],
	]);
	expect(grantReservations(units, accounts, earlier)).toEqual([
		{ kind: "repeated", balanceAfter: 7 },
		{ kind: "repeated", balanceAfter: 7 },
	]);
});

test("a message named twice is debited once", () => {
	const twice = [unit("a", "1"), unit("a", "1"), unit("a", "2")];
	expect(grantReservations(twice, new Map([["a", account(2)]]), none)).toEqual([
		{ kind: "granted", balanceAfter: 1 },
		{ kind: "repeated", balanceAfter: 1 },
		{ kind: "granted", balanceAfter: 0 },
	]);
});

test("a reservation that was given back is not granted again", () => {
	const earlier = new Map([["a 1", { balanceAfter: 3, released: true }]]);
	expect(
		grantReservations([unit("a", "1")], new Map([["a", account(9)]]), earlier),
	).toEqual([{ kind: "refused", reason: "reservation_released" }]);
});

test("unknown and suspended organizations are refused by name", () => {
	expect(
		grantReservations(
			[unit("ghost", "1"), unit("suspended", "2")],
			new Map([["suspended", account(9, false)]]),
			none,
		),
	).toEqual([
		{ kind: "refused", reason: "unknown_organization" },
		{ kind: "refused", reason: "organization_suspended" },
	]);
});

test("an organization is granted exactly what it has, never below zero", () => {
	const organization = fc.constantFrom("a", "b", "c");
	const units = fc.array(
		fc.record({ organizationId: organization, messageId: fc.uuid() }),
	);
	const balances = fc.record({ a: fc.nat(20), b: fc.nat(20), c: fc.nat(20) });
	fc.assert(
		fc.property(units, balances, (wanted, have) => {
			const accounts = new Map(
				Object.entries(have).map(([id, balance]) => [id, account(balance)]),
			);
			const decisions = grantReservations(wanted, accounts, none);
			for (const [id, balance] of Object.entries(have)) {
				const asked = new Set(
					wanted.filter((one) => one.organizationId === id).map(reservationKey),
				).size;
				const granted = decisions.filter(
					(decision, index) =>
						decision.kind === "granted" && wanted[index]?.organizationId === id,
				);
				expect(
					granted.map((one) => "balanceAfter" in one && one.balanceAfter),
				).toEqual(
					Array.from(
						{ length: Math.min(asked, balance) },
						(_, nth) => balance - nth - 1,
					),
				);
			}
		}),
	);
});
