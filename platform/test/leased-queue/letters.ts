import { afterEach, beforeEach, expect } from "vitest";
import type { Tx } from "../../src/database/database.ts";
import { platformMigrations } from "../../src/database/migrate.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { silentLog } from "../../src/testing/log.ts";
import { claimDue, dueGroups, FIRST_GROUP } from "../../src/work/claim-due.ts";
import { createLease, type Lease } from "../../src/work/lease.ts";
import {
	type Fence,
	heldRows,
	isHeld,
	type LeasedQueue,
	requeue,
} from "../../src/work/leased-queue.ts";

/** A queue as a service describes it: letters, each of an owner, on one of several routes. */
export const letters: LeasedQueue<"letterId"> = {
	table: "letters",
	key: { letterId: "id" },
	group: "owner_id",
	weight: "pages",
};

type LetterFence = Fence<"letterId">;
type LetterRow = LetterFence & { readonly ownerId: string };

const LEASE_MS = 60_000;
export const DAY_MS = 24 * 3_600_000;

/** A queue in a schema of its own for each test, with the leases of two processes. */
export interface Letters {
	readonly database: TestDatabase;
	readonly lease: Lease;
	readonly other: Lease;
}

export function lettersForEachTest(): Letters {
	const queue: { -readonly [Part in keyof Letters]?: Letters[Part] } = {};
	beforeEach(async () => {
		const database = await testDatabase([platformMigrations.leases]);
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
		const { sql } = database;
		queue.database = database;
		queue.lease = await createLease(sql, LEASE_MS, silentLog);
		queue.other = await createLease(sql, LEASE_MS, silentLog);
	});
	afterEach(() => queue.database?.drop());
	return queue as Letters;
}

export async function addLetters(
	{ database }: Letters,
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

export async function claim(
	queue: Letters,
	limit: number,
	{ under = queue.lease, after = FIRST_GROUP, route = "post" } = {},
	sql: TestDatabase["sql"] | Tx = queue.database.sql,
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
export async function settle(
	{ database: { sql } }: Letters,
	fences: readonly LetterFence[],
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		delete from letters as work
		using ${heldRows(sql, letters, fences)}
		where ${isHeld(sql, letters)}
		returning work.id
	`;
	return rows.map(({ id }) => id);
}

export const takeOver = (sql: Tx, tokens: readonly string[]) =>
	requeue(sql, letters, tokens);

export async function letLeaseRunOut(
	{ database }: Letters,
	{ token }: Lease,
): Promise<void> {
	await database.sql`
		update leases
		set lease_until = renewed_at
		where token = ${token()}
	`;
}

export async function waitingRows({ database }: Letters): Promise<number> {
	const rows = await database.sql`select from letters where token is null`;
	return rows.count;
}

export function idsOf(rows: readonly LetterRow[]): Set<string> {
	return new Set(rows.map((row) => row.letterId));
}

export async function expectLockWait({ database }: Letters): Promise<void> {
	const waiting = await database.sql`
		select
		from pg_stat_activity
		where application_name = ${database.schema}
		and wait_event_type = 'Lock'
	`;
	expect(waiting.count).toBe(1);
}
