import { afterEach, beforeEach, expect, test } from "vitest";
import { type Tx, transaction } from "../database/database.ts";
import { platformMigrations } from "../database/migrate.ts";
import { uuidv7 } from "../runtime/ids.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { silentLog } from "../testing/log.ts";
import { readBy } from "../testing/reads.ts";
import { claimDue, dueGroups, FIRST_GROUP } from "./claim-due.ts";
import { createLease, endLease, type Lease, rescueExpired } from "./lease.ts";
import {
	type Fence,
	heldRows,
	isHeld,
	type LeasedQueue,
	releaseUnknown,
	requeue,
} from "./leased-queue.ts";

/** A queue as a service describes it: letters, each of an owner, on one of several routes. */
const letters: LeasedQueue<"letterId"> = {
	table: "letters",
	key: { letterId: "id" },
	group: "owner_id",
	weight: "pages",
};

type LetterFence = Fence<"letterId">;
type LetterRow = LetterFence & { readonly ownerId: string };

const LEASE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let lease: Lease;
let other: Lease;

beforeEach(async () => {
	database = await testDatabase([platformMigrations.leases]);
	await database.sql.unsafe(`
		create table letters (
			id uuid primary key,
			owner_id uuid not null,
			route text not null default 'post',
			pages integer not null default 1,
			due_at timestamptz not null default now(),
			token uuid,
			attempt integer not null default 0
		) with (fillfactor = 45, autovacuum_enabled = off);
		create index letters_due on letters (route, owner_id, due_at);
	`);
	lease = await createLease(database.sql, LEASE_MS, silentLog);
	other = await createLease(database.sql, LEASE_MS, silentLog);
});

afterEach(async () => {
	await database.drop();
});

async function addLetters(
	ownerId: string,
	count: number,
	{ pages = 1, dueInMs = 0, route = "post" } = {},
): Promise<void> {
	await database.sql`
		insert into letters (id, owner_id, route, pages, due_at)
		select uuidv7(), ${ownerId}, ${route}, ${pages}, now() + ${dueInMs} * interval '1 millisecond'
		from generate_series(1, ${count})
	`;
}

async function claim(
	limit: number,
	{ under = lease, after = FIRST_GROUP, route = "post" } = {},
	sql: TestDatabase["sql"] | Tx = database.sql,
): Promise<LetterRow[]> {
	const within = sql`route = ${route}`;
	return sql<LetterRow[]>`
		with recursive
		${dueGroups(sql, letters, { within, after, limit })},
		claimed as (${claimDue(sql, letters, {
			token: under.token(),
			groups: sql`due_groups`,
			where: sql`and ${within}`,
			limit,
		})})
		select claimed.id as "letterId", owner_id as "ownerId", token, attempt
		from claimed
		join due_groups on due_groups.id = owner_id
		order by place
	`;
}

/** Settles as done; returns the ids of those whose claim held. */
async function settle(fences: readonly LetterFence[]): Promise<string[]> {
	const { sql } = database;
	const rows = await sql<{ id: string }[]>`
		delete from letters as work
		using ${heldRows(sql, letters, fences)}
		where ${isHeld(sql, letters)}
		returning work.id
	`;
	return rows.map(({ id }) => id);
}

const takeOver = (sql: Tx, tokens: readonly string[]) =>
	requeue(sql, letters, tokens);

async function letLeaseRunOut({ token }: Lease): Promise<void> {
	await database.sql`
		update leases
		set lease_until = now() - interval '1 second'
		where token = ${token()}
	`;
}

async function waitingRows(): Promise<number> {
	const rows = await database.sql`select from letters where token is null`;
	return rows.count;
}

function idsOf(rows: readonly LetterRow[]): Set<string> {
	return new Set(rows.map((row) => row.letterId));
}

test("a row is claimed once, by one process, and leaves with its settle", async () => {
	await addLetters(uuidv7(), 20);
	const [mine, theirs] = await Promise.all([
		claim(20),
		claim(20, { under: other }),
	]);
	const all = [...mine, ...theirs];
	expect(idsOf(all).size).toBe(20);
	expect(all.map((row) => row.attempt)).toEqual(Array(20).fill(1));
	expect(new Set(await settle(all))).toEqual(idsOf(all));
	expect(await settle(all)).toEqual([]);
});

test("what is not due, or of another queue in the table, is left alone", async () => {
	const owner = uuidv7();
	await addLetters(owner, 1, { dueInMs: DAY_MS });
	await addLetters(owner, 1, { route: "courier" });
	expect(await claim(10)).toEqual([]);
	expect(await claim(10, { route: "courier" })).toHaveLength(1);
});

test("a claim is shared by all groups with due work, the oldest of each first", async () => {
	const [flooding, quiet] = [uuidv7(), uuidv7()];
	await addLetters(flooding, 100, { dueInMs: -DAY_MS });
	await addLetters(quiet, 3);
	const rows = await claim(6);
	const owners = Map.groupBy(rows, (row) => row.ownerId);
	expect(owners.get(flooding)).toHaveLength(3);
	expect(owners.get(quiet)).toHaveLength(3);
});

test("groups take turns when there are more of them than a claim takes", async () => {
	const owners = Array.from({ length: 7 }, () => uuidv7());
	for (const owner of owners) await addLetters(owner, 10);
	const served: string[] = [];
	let after = FIRST_GROUP;
	for (let round = 0; round < 7; round++) {
		const rows = await claim(3, { after });
		expect(rows).toHaveLength(3);
		served.push(...rows.map((row) => row.ownerId));
		after = served.at(-1) ?? after;
	}
	for (const owner of owners)
		expect(served.filter((one) => one === owner)).toHaveLength(3);
});

test("the weight of rows counts: only the last one goes beyond the limit", async () => {
	await addLetters(uuidv7(), 10, { pages: 4 });
	expect(await claim(10)).toHaveLength(3);
});

test("a claim is a heap-only update of each row that it takes, and reads few others", async () => {
	await addLetters(uuidv7(), 10_000);
	await database.sql`analyze letters`;
	const session = database.connect(1);
	const read = await readBy(session, async (sql) => {
		expect(await claim(50, {}, sql)).toHaveLength(50);
		const [table] = await sql`
			select n_tup_upd::integer as updates, n_tup_hot_upd::integer as hot
			from pg_stat_xact_user_tables
			where relid = 'letters'::regclass
		`;
		expect(table).toEqual({ updates: 50, hot: 50 });
	});
	expect(read).toBeLessThan(200);
});

test("the rows of a lease that ran out are handed over, and its late settle changes nothing", async () => {
	await addLetters(uuidv7(), 5);
	const rows = await claim(5, { under: other });
	expect(await rescueExpired(database.sql, lease, takeOver)).toBe(0);
	await letLeaseRunOut(other);
	expect(await rescueExpired(database.sql, lease, takeOver)).toBe(5);
	expect(await settle(rows)).toEqual([]);
	const again = await claim(5);
	expect(again.map((row) => row.attempt)).toEqual([2, 2, 2, 2, 2]);
	expect(await settle(rows)).toEqual([]);
	expect(await settle(again)).toHaveLength(5);
});

test("an earlier claim's settle does not fit a later claim of the same process", async () => {
	await addLetters(uuidv7(), 1);
	const first = await claim(1);
	await database.sql`update letters set token = null`;
	const second = await claim(1);
	expect(await settle(first)).toEqual([]);
	expect(await settle(second)).toHaveLength(1);
});

test("a process whose lease was taken over claims nothing until it has a new one", async () => {
	await addLetters(uuidv7(), 1);
	const lost = other.token();
	expect(other.covers(lost)).toBe(true);
	await letLeaseRunOut(other);
	await rescueExpired(database.sql, lease, takeOver);
	expect(await claim(1, { under: other })).toEqual([]);
	await other.renew();
	expect(other.covers(lost)).toBe(false);
	expect(other.covers(other.token())).toBe(true);
	expect(await claim(1, { under: other })).toHaveLength(1);
});

test("a process does not rescue itself, and one that stood still for its lease is not covered by it", async () => {
	const still = await createLease(database.sql, 0, silentLog);
	expect(still.covers(still.token())).toBe(false);
	expect(await rescueExpired(database.sql, still, takeOver)).toBe(0);
	await still.renew();
	await letLeaseRunOut(still);
	await addLetters(uuidv7(), 1);
	await claim(1, { under: still });
	expect(await rescueExpired(database.sql, still, takeOver)).toBe(0);
});

test("a rescue waits for a claim under way, so that no claimed row is left behind", async () => {
	const { sql } = database;
	await addLetters(uuidv7(), 3);
	await letLeaseRunOut(other);
	const claimed = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const claiming = transaction(sql, async (sql) => {
		expect(await claim(3, { under: other }, sql)).toHaveLength(3);
		claimed.resolve();
		await commit.promise;
	});
	await claimed.promise;
	const rescue = rescueExpired(sql, lease, takeOver);
	await eventually(() => expectLockWait());
	commit.resolve();
	await claiming;
	expect(await rescue).toBe(3);
	expect(await waitingRows()).toBe(3);
});

test("rows of a claim whose response was lost are released, also when it commits late", async () => {
	const { sql } = database;
	await addLetters(uuidv7(), 4);
	const known = await claim(2);
	const claimed = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const lost = transaction(sql, async (sql) => {
		await claim(2, {}, sql);
		claimed.resolve();
		await commit.promise;
	});
	await claimed.promise;
	const release = releaseUnknown(sql, letters, {
		token: lease.token(),
		known,
		within: sql`route = 'post'`,
	});
	await eventually(() => expectLockWait());
	commit.resolve();
	await lost;
	expect(await release).toBe(2);
	expect(await settle(known)).toHaveLength(2);
	expect(await waitingRows()).toBe(2);
});

test("a lease that ends gives its rows up at once", async () => {
	await addLetters(uuidv7(), 3);
	await claim(3);
	await endLease(database.sql, lease, takeOver);
	expect(await waitingRows()).toBe(3);
	expect(await claim(3)).toEqual([]);
});

async function expectLockWait(): Promise<void> {
	const waiting = await database.sql`
		select
		from pg_stat_activity
		where application_name = ${database.schema}
		and wait_event_type = 'Lock'
	`;
	expect(waiting.count).toBe(1);
}
