import { expect, test } from "vitest";
import { uuidv7 } from "../../src/runtime/ids.ts";
import { readBy } from "../../src/testing/reads.ts";
import { claim, roundsOf, settle } from "./letter-queue.ts";
import { addLetters, DAY_MS, idsOf, lettersForEachTest } from "./letters.ts";

const queue = lettersForEachTest();

test("a row is claimed once, by one process, and leaves with its settle", async () => {
	await addLetters(queue, uuidv7(), 20);
	const [mine, theirs] = await Promise.all([
		claim(queue, 20),
		claim(queue, 20, { under: queue.other }),
	]);
	const all = [...mine, ...theirs];
	expect(idsOf(all).size).toBe(20);
	expect(all.map((row) => row.attempt)).toEqual(Array(20).fill(1));
	expect(new Set(await settle(queue, all))).toEqual(idsOf(all));
	expect(await settle(queue, all)).toEqual([]);
});

test("what is not due, or of another queue in the table, is left alone", async () => {
	const owner = uuidv7();
	await addLetters(queue, owner, 1, { dueInMs: DAY_MS });
	await addLetters(queue, owner, 1, { route: "courier" });
	expect(await claim(queue, 10)).toEqual([]);
	expect(await claim(queue, 10, { route: "courier" })).toHaveLength(1);
});

test("a claim is shared by all groups with due work, the oldest of each first", async () => {
	const [flooding, quiet] = [uuidv7(), uuidv7()];
	await addLetters(queue, flooding, 100, { dueInMs: -DAY_MS });
	await addLetters(queue, quiet, 3);
	const rows = await claim(queue, 6);
	const owners = Map.groupBy(rows, (row) => row.ownerId);
	expect(owners.get(flooding)).toHaveLength(3);
	expect(owners.get(quiet)).toHaveLength(3);
});

test("groups are claimed from in rotation when there are more of them than a claim takes", async () => {
	const owners = Array.from({ length: 7 }, () => uuidv7());
	for (const owner of owners) await addLetters(queue, owner, 10);
	const served: string[] = [];
	const rounds = roundsOf(queue.database.sql);
	for (let round = 0; round < 7; round++) {
		const rows = await claim(queue, 3, { rounds });
		expect(rows).toHaveLength(3);
		served.push(...rows.map((row) => row.ownerId));
	}
	for (const owner of owners)
		expect(served.filter((one) => one === owner)).toHaveLength(3);
});

test("the weight of rows counts: only the last one goes beyond the limit", async () => {
	await addLetters(queue, uuidv7(), 10, { pages: 4 });
	expect(await claim(queue, 10)).toHaveLength(3);
});

test("a claim is a heap-only update of each row that it takes, and reads few others", async () => {
	await addLetters(queue, uuidv7(), 10_000);
	await queue.database.sql`analyze letters`;
	const session = queue.database.connect(1);
	const read = await readBy(session, async (sql) => {
		expect(await claim(queue, 50, {}, sql)).toHaveLength(50);
		const [table] = await sql`
			select n_tup_upd::integer as updates, n_tup_hot_upd::integer as hot
			from pg_stat_xact_user_tables
			where relid = 'letters'::regclass
		`;
		expect(table).toEqual({ updates: 50, hot: 50 });
	});
	expect(read).toBeLessThan(200);
});

test("a thousand groups that cannot be claimed from cost one that can no claim", async () => {
	const onStrike = Array.from({ length: 1_000 }, () => uuidv7());
	await addToMany(onStrike);
	await addLetters(queue, uuidv7(), 1_000);
	const rounds = roundsOf(queue.database.sql, { onStrike });
	let claimed = 0;
	for (let round = 0; round < 100; round++)
		claimed += (await claim(queue, 10, { onStrike, rounds })).length;
	expect(claimed).toBe(1_000);
});

test("groups that cannot be claimed from are looked at once for many claims", async () => {
	const onStrike = Array.from({ length: 1_000 }, () => uuidv7());
	await addToMany(onStrike);
	await addLetters(queue, uuidv7(), 1_000);
	const read = await readBy(queue.database.connect(1), async (sql) => {
		const rounds = roundsOf(sql, { onStrike, now: () => 0 });
		for (let round = 0; round < 10; round++)
			await claim(queue, 10, { onStrike, rounds }, sql);
	});
	expect(read).toBeLessThan(2 * 3 * onStrike.length);
});

test("of a thousand groups with work a claim looks at a few more than it takes from, and each has its turn", async () => {
	await addToMany(Array.from({ length: 1_000 }, () => uuidv7()));
	const { sql } = queue.database;
	const read = await readBy(queue.database.connect(1), async (sql) => {
		const rounds = roundsOf(sql);
		expect(await claim(queue, 10, { rounds }, sql)).toHaveLength(10);
	});
	expect(read).toBeLessThan(200);
	const rounds = roundsOf(sql, { now: () => 0 });
	for (let round = 0; round < 100; round++)
		expect(await claim(queue, 10, { rounds })).toHaveLength(10);
});

async function addToMany(owners: readonly string[]): Promise<void> {
	await queue.database.sql`
		insert into letters (id, owner_id)
		select uuidv7(), owner
		from unnest(${[...owners]}::uuid[]) as given (owner)
	`;
}
