import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";
import { type Columns, unnest } from "../database/unnest.ts";

/** A settle that finds no row under its token and attempt: somebody else owns the work. ARCHITECTURE, section 6. */
export interface LeasedQueue<K extends string> {
	readonly table: string;
	/** Columns of the primary key, all of them uuid, by their names in code. */
	readonly key: Readonly<Record<K, string>>;
	/** A uuid column: the work of each of its values gets an equal share of a claim. */
	readonly group: string;
	/** A column that tells how much of a claim's limit a row takes; each takes 1 without it. */
	readonly weight?: string;
}

export type QueueKey<K extends string> = Readonly<Record<K, string>>;

/** Names one claim of one row: no two claims of a row have the same attempt. */
export type Fence<K extends string> = QueueKey<K> & {
	readonly token: string;
	readonly attempt: number;
};

interface DueGroups {
	/** Condition that names the queue within its table, by equality of the index's first columns. */
	readonly within: postgres.Fragment;
	/** All that a claim demands of a row of the group `groups.id` beside being due, with a leading "and". */
	readonly claimable?: postgres.Fragment;
	/** The list begins after this group and goes around to it. */
	readonly after: postgres.Fragment;
	readonly limit: number | postgres.Fragment;
}

/** Expressions for `with recursive`: `due_groups (id, nth)`, groups with claimable work, at two index searches each. */
export function dueGroups(
	sql: Queryable,
	{ table, group }: LeasedQueue<string>,
	{ within, claimable = sql``, after, limit }: DueGroups,
): postgres.Fragment {
	const firstGroup = (beyond: postgres.Fragment) => sql`(
		select ${sql(group)} as id
		from ${sql(table)}
		where ${within} ${beyond}
		order by ${sql(group)}
		limit 1
	)`;
	return sql`
		groups (id, nth, wrapped) as (
			select ${after}, 0, false
			union all
			select coalesce(later.id, first.id), nth + 1, wrapped or later.id is null
			from groups
			left join lateral ${firstGroup(sql`and ${sql(group)} > groups.id`)} as later on true
			left join lateral ${firstGroup(sql``)} as first on later.id is null and not wrapped
			where case
				when wrapped then later.id <= ${after}
				when later.id is null then first.id <= ${after}
				else true
			end
		),
		due_groups as (
			select id, nth
			from groups
			cross join lateral (
				select
				from ${sql(table)}
				where ${within}
				and ${sql(group)} = groups.id
				and due_at <= now()
				and token is null
				${claimable}
				order by due_at
				limit 1
			) as head
			where nth > 0
			limit ${limit}
		)
	`;
}

interface Claim {
	readonly token: string;
	/** A relation `(id, nth, share)`: the groups, in turn, and most rows of each. */
	readonly groups: postgres.Fragment;
	/** Conditions beside being due, with a leading "and". */
	readonly where?: postgres.Fragment;
	/** Further changes, with a leading comma, of columns that no index mentions. */
	readonly set?: postgres.Fragment;
	/** Most weight: the last row may go beyond. Where the relation has the groups of several claims, a column of it. */
	readonly limit: number | postgres.Fragment;
	/** A column of the relation that tells several claims apart. */
	readonly claim?: postgres.Fragment;
}

/** Claims due rows, the oldest of each group first. The lease cannot be taken over before its transaction ends. */
export function claimDue(
	sql: Queryable,
	{ table, group, weight }: LeasedQueue<string>,
	{ token, groups, where = sql``, set = sql``, limit, claim }: Claim,
): postgres.Fragment {
	return sql`
		update ${sql(table)} as work
		set
			token = ${token},
			attempt = work.attempt + 1
			${set}
		where ctid = any(array(
			select row
			from (
				select
					due.row,
					sum(due.weight) over (
						${claim === undefined ? sql`` : sql`partition by ${claim}`}
						order by due_groups.nth, due.due_at, due.row
					) - due.weight as before,
					${limit}::bigint as most
				from ${groups} as due_groups
				cross join lateral (
					select ctid as row, due_at, ${weight === undefined ? sql`1` : sql(weight)} as weight
					from ${sql(table)}
					where ${sql(group)} = due_groups.id
					and due_at <= now()
					and token is null
					${where}
					order by due_at
					limit due_groups.share
					for update skip locked
				) as due
			) as ranked
			where before < most
		))
		and exists (
			select
			from leases
			where token = ${token}
			for key share
		)
		returning work.*
	`;
}

/** Claims as a relation `owned` with further columns, to be joined by {@link isOwned}. */
export function ownedRows<K extends string, Row extends Fence<K>>(
	sql: Queryable,
	{ key }: LeasedQueue<K>,
	rows: readonly Row[],
	columns: Columns<Row> = {},
): postgres.Fragment {
	const fence = { ...uuids(key), token: "uuid", attempt: "integer" } as const;
	const all: Columns<Row> = { ...fence, ...columns };
	return unnest(sql, rows, all, { as: "owned", names: key });
}

/** The table must be called `work`; `others` may be settled beside the holder of the token. */
export function isOwned(
	sql: Queryable,
	{ key }: LeasedQueue<string>,
	others?: postgres.Fragment,
): postgres.Fragment {
	const keys = Object.values(key).map(
		(column) => sql`work.${sql(column)} = owned.${sql(column)} and`,
	);
	const owner = sql`work.token = owned.token`;
	return sql`
		${keys}
		work.attempt = owned.attempt
		and ${others === undefined ? owner : sql`(${owner} or ${others})`}
	`;
}

export function uuids<K extends string>(key: Readonly<Record<K, string>>) {
	const columns = Object.keys(key).map((name) => [name, "uuid"]);
	return Object.fromEntries(columns) as Record<K, "uuid">;
}
