import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import {
	deleteOldWindows,
	leaseUnits,
	returnUnits,
} from "../src/store/rate-windows.ts";

let database: TestDatabase;
beforeAll(async () => {
	database = await testDatabase(migrations);
});
afterAll(() => database.drop());

function request(units: number, limit: number, ownerId = uuidv7()) {
	return { ownerId, windowStart: 60, units, limit };
}

test("leases add up to the limit and no further", async () => {
	const one = request(40, 100);
	const granted = [];
	for (let count = 0; count < 4; count++)
		granted.push((await leaseUnits(database.sql, [one]))[0]);
	expect(granted).toEqual([
		expect.objectContaining({ granted: 40, leased: 40 }),
		expect.objectContaining({ granted: 40, leased: 80 }),
		expect.objectContaining({ granted: 20, leased: 100 }),
		expect.objectContaining({ granted: 0, leased: 100 }),
	]);
});

test("concurrent leases of many gateways never exceed the limit", async () => {
	const keys = Array.from({ length: 5 }, () => uuidv7());
	const leases = await Promise.all(
		Array.from({ length: 60 }, (_, index) =>
			leaseUnits(
				database.sql,
				keys
					.toSorted(() => (index % 2 === 0 ? 1 : -1))
					.map((key) => request(7, 100, key)),
			),
		),
	);
	const total = leases.flat().reduce((sum, lease) => sum + lease.granted, 0);
	expect(total).toBe(500);
});

test("one call serves many keys and windows, each in its place", async () => {
	const key = uuidv7();
	const leases = await leaseUnits(database.sql, [
		{ ...request(5, 100, key), windowStart: 120 },
		request(3, 2),
		{ ...request(7, 100, key), windowStart: 60 },
	]);
	expect(leases.map(({ granted }) => granted)).toEqual([5, 2, 7]);
});

test("a limit that was lowered grants nothing more; a raised one does", async () => {
	const key = uuidv7();
	const lease = async (units: number, limit: number) =>
		(await leaseUnits(database.sql, [request(units, limit, key)]))[0]?.granted;
	expect(await lease(50, 100)).toBe(50);
	expect(await lease(10, 20)).toBe(0);
	expect(await lease(10, 55)).toBe(5);
});

test("units given back can be leased again", async () => {
	const one = request(100, 100);
	await leaseUnits(database.sql, [one]);
	await returnUnits(database.sql, [{ ...one, units: 30 }]);
	const [lease] = await leaseUnits(database.sql, [one]);
	expect(lease?.granted).toBe(30);
});

test("windows long over are deleted, a limited number at a time", async () => {
	const over = { before: 60, keptS: 60 };
	const old = { ...request(1, 1), windowStart: 0 };
	await leaseUnits(database.sql, [old, { ...old, ownerId: uuidv7() }]);
	expect(await deleteOldWindows(database.sql, over, 1)).toBe(1);
	expect(await deleteOldWindows(database.sql, over, 100)).toBe(1);
	expect(await deleteOldWindows(database.sql, over, 100)).toBe(0);
});

test("a gateway whose clock is ahead deletes no window of the present", async () => {
	const nowS = Math.floor(Date.now() / 1_000);
	const current = { ...request(1, 1), windowStart: nowS };
	await leaseUnits(database.sql, [current]);
	const ahead = { before: nowS + 3_600, keptS: 600 };
	await deleteOldWindows(database.sql, ahead, 100);
	expect(await leaseUnits(database.sql, [current])).toMatchObject([
		{ granted: 0 },
	]);
});
