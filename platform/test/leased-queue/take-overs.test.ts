import { expect, test } from "vitest";
import { transaction } from "../../src/database/database.ts";
import { uuidv7 } from "../../src/runtime/ids.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { silentLog } from "../../src/testing/log.ts";
import { createLease, endLease, rescueExpired } from "../../src/work/lease.ts";
import { releaseUntracked } from "../../src/work/put-back.ts";
import { claim, letters, settle, takeOver } from "./letter-queue.ts";
import {
	addLetters,
	expectLockWait,
	letLeaseRunOut,
	lettersForEachTest,
	waitingRows,
} from "./letters.ts";

const queue = lettersForEachTest();

test("the rows of a lease that ran out are handed over, and its late settle changes nothing", async () => {
	await addLetters(queue, uuidv7(), 5);
	const rows = await claim(queue, 5, { under: queue.other });
	expect(await rescueExpired(queue.database.sql, queue.lease, takeOver)).toBe(
		0,
	);
	await letLeaseRunOut(queue, queue.other);
	expect(await rescueExpired(queue.database.sql, queue.lease, takeOver)).toBe(
		5,
	);
	expect(await settle(queue, rows)).toEqual([]);
	const again = await claim(queue, 5);
	expect(again.map((row) => row.attempt)).toEqual([2, 2, 2, 2, 2]);
	expect(await settle(queue, rows)).toEqual([]);
	expect(await settle(queue, again)).toHaveLength(5);
});

test("an earlier claim's settle does not fit a later claim of the same process", async () => {
	await addLetters(queue, uuidv7(), 1);
	const first = await claim(queue, 1);
	await queue.database.sql`update letters set token = null`;
	const second = await claim(queue, 1);
	expect(await settle(queue, first)).toEqual([]);
	expect(await settle(queue, second)).toHaveLength(1);
});

test("a process whose lease was taken over claims nothing until it has a new one", async () => {
	await addLetters(queue, uuidv7(), 1);
	const lost = queue.other.token();
	expect(queue.other.covers(lost)).toBe(true);
	await letLeaseRunOut(queue, queue.other);
	await rescueExpired(queue.database.sql, queue.lease, takeOver);
	expect(await claim(queue, 1, { under: queue.other })).toEqual([]);
	await queue.other.renew();
	expect(queue.other.covers(lost)).toBe(false);
	expect(queue.other.covers(queue.other.token())).toBe(true);
	expect(await claim(queue, 1, { under: queue.other })).toHaveLength(1);
});

test("a process does not rescue itself, and one that stood still for its lease is not covered by it", async () => {
	const still = await createLease(queue.database.sql, 0, silentLog);
	expect(still.covers(still.token())).toBe(false);
	expect(await rescueExpired(queue.database.sql, still, takeOver)).toBe(0);
	await still.renew();
	await letLeaseRunOut(queue, still);
	await addLetters(queue, uuidv7(), 1);
	await claim(queue, 1, { under: still });
	expect(await rescueExpired(queue.database.sql, still, takeOver)).toBe(0);
});

test("a rescue waits for a claim under way, so that no claimed row is left behind", async () => {
	const { sql } = queue.database;
	await addLetters(queue, uuidv7(), 3);
	await letLeaseRunOut(queue, queue.other);
	const claimed = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const claiming = transaction(sql, async (sql) => {
		expect(await claim(queue, 3, { under: queue.other }, sql)).toHaveLength(3);
		claimed.resolve();
		await commit.promise;
	});
	await claimed.promise;
	const rescue = rescueExpired(sql, queue.lease, takeOver);
	await eventually(() => expectLockWait(queue));
	commit.resolve();
	await claiming;
	expect(await rescue).toBe(3);
	expect(await waitingRows(queue)).toBe(3);
});

test("rows of a claim whose response was lost are released, also when it commits late", async () => {
	const { sql } = queue.database;
	await addLetters(queue, uuidv7(), 4);
	const known = await claim(queue, 2);
	const claimed = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const lost = transaction(sql, async (sql) => {
		await claim(queue, 2, {}, sql);
		claimed.resolve();
		await commit.promise;
	});
	await claimed.promise;
	const release = releaseUntracked(sql, letters, {
		token: queue.lease.token(),
		known,
		within: sql`route = 'post'`,
	});
	await eventually(() => expectLockWait(queue));
	commit.resolve();
	await lost;
	expect(await release).toBe(2);
	expect(await settle(queue, known)).toHaveLength(2);
	expect(await waitingRows(queue)).toBe(2);
});

test("a lease that ends gives its rows up at once", async () => {
	await addLetters(queue, uuidv7(), 3);
	await claim(queue, 3);
	await endLease(queue.database.sql, queue.lease, takeOver);
	expect(await waitingRows(queue)).toBe(3);
	expect(await claim(queue, 3)).toEqual([]);
});
