import type { Db, Tx } from "../../src/database/database.ts";
import { claimDue } from "../../src/work/claim-due.ts";
import { dueGroups, FIRST_GROUP } from "../../src/work/due-groups.ts";
import type { Lease } from "../../src/work/lease.ts";
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

export const LETTERS_TABLE = `
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
`;

type LetterFence = Fence<"letterId">;
export type LetterRow = LetterFence & { readonly ownerId: string };

/** The queue as one process sees it. */
export interface OwnLetters {
	readonly database: { readonly sql: Db };
	readonly lease: Lease;
}

export async function claim(
	queue: OwnLetters,
	limit: number,
	{ under = queue.lease, after = FIRST_GROUP, route = "post" } = {},
	sql: Db | Tx = queue.database.sql,
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
	{ database: { sql } }: Pick<OwnLetters, "database">,
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
