import type { Db, Tx } from "../../src/database/database.ts";
import { type GroupShares, GroupTurns } from "../../src/work/group-turns.ts";
import type { Lease } from "../../src/work/lease.ts";
import {
	claimDue,
	dueGroups,
	type Fence,
	isOwned,
	type LeasedQueue,
	ownedRows,
} from "../../src/work/leased-queue.ts";
import { requeue } from "../../src/work/put-back.ts";

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
export type LetterRow = LetterFence & {
	readonly ownerId: string;
	readonly pages: number;
};

/** The queue as one process sees it. */
interface OwnLetters {
	readonly database: { readonly sql: Db };
	readonly lease: Lease;
}

/** Owners are claimed from in rotation; a letter of an owner on strike is not claimed. */
export function roundsOf(
	sql: Db | Tx,
	{
		route = "post",
		onStrike = [] as readonly string[],
		now = () => performance.now(),
	} = {},
): LetterRounds {
	const turns = new GroupTurns(now);

	async function list(limit: number): Promise<string[]> {
		const rows = await sql<{ id: string }[]>`
			with recursive
			${dueGroups(sql, letters, {
				within: sql`route = ${route}`,
				claimable: isAtWork(sql, "groups", onStrike),
				after: sql`${turns.last}::uuid`,
				limit,
			})}
			select id
			from due_groups
			order by nth
		`;
		return rows.map(({ id }) => id);
	}

	return async (limit, claim) => {
		if (turns.isListDue || !turns.hasGroups) {
			const most = turns.listLength(limit);
			turns.list(await list(most), most);
		}
		if (!turns.hasGroups) return [];
		const shares = turns.take(limit);
		const rows = await claim(shares);
		const owners = Map.groupBy(rows, ({ ownerId }) => ownerId);
		const pages = rows.reduce((sum, row) => sum + row.pages, 0);
		turns.brought(
			shares,
			(owner) => owners.get(owner)?.length ?? 0,
			pages >= limit,
		);
		return rows;
	};
}

/** Claims from the owners whose turn it is. */
type LetterRounds = (
	limit: number,
	claim: (shares: GroupShares) => Promise<LetterRow[]>,
) => Promise<LetterRow[]>;

const isAtWork = (sql: Db | Tx, groups: string, onStrike: readonly string[]) =>
	sql`and ${sql(groups)}.id <> all (${[...onStrike]}::uuid[])`;

export async function claim(
	queue: OwnLetters,
	limit: number,
	{
		under = queue.lease,
		route = "post",
		onStrike = [] as readonly string[],
		rounds = undefined as LetterRounds | undefined,
	} = {},
	sql: Db | Tx = queue.database.sql,
): Promise<LetterRow[]> {
	const groups = rounds ?? roundsOf(sql, { route, onStrike });
	return groups(
		limit,
		({ groups, share }) => sql<LetterRow[]>`
		with due_groups as materialized (
			select id, nth, ${share}::bigint as share
			from unnest(${[...groups]}::uuid[]) with ordinality as given (id, nth)
		),
		claimed as (${claimDue(sql, letters, {
			token: under.token(),
			groups: sql`due_groups`,
			where: sql`and route = ${route} ${isAtWork(sql, "due_groups", onStrike)}`,
			limit,
		})})
		select claimed.id as "letterId", owner_id as "ownerId", token, attempt, pages
		from claimed
		join due_groups on due_groups.id = owner_id
		order by nth
	`,
	);
}

/** Settles as done; returns the ids of those whose claim was still theirs. */
export async function settle(
	{ database: { sql } }: Pick<OwnLetters, "database">,
	fences: readonly LetterFence[],
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		delete from letters as work
		using ${ownedRows(sql, letters, fences)}
		where ${isOwned(sql, letters)}
		returning work.id
	`;
	return rows.map(({ id }) => id);
}

export const takeOver = (sql: Tx, tokens: readonly string[]) =>
	requeue(sql, letters, tokens);
