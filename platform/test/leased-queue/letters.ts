import { afterEach, beforeEach, expect } from "vitest";
import { platformMigrations } from "../../src/database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { silentLog } from "../../src/testing/log.ts";
import { createLease, type Lease } from "../../src/work/lease.ts";
import { LETTERS_TABLE, type LetterRow } from "./letter-queue.ts";

/** Nobody renews it, and a busy machine may take long for a test, ms. */
const LEASE_MS = 600_000;
export const DAY_MS = 24 * 3_600_000;

/** A queue in a schema of its own for each test, with the leases of two processes. */
interface Letters {
	readonly database: TestDatabase;
	readonly lease: Lease;
	readonly other: Lease;
}

export function lettersForEachTest(): Letters {
	const queue: { -readonly [Part in keyof Letters]?: Letters[Part] } = {};
	beforeEach(async () => {
		const database = await testDatabase([platformMigrations.leases]);
		await database.sql.unsafe(LETTERS_TABLE);
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
