import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import { ID_COLUMN, type PARTITIONED_TABLES } from "./partitions.ts";

type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** Longest wait for the lock that dropping needs, ms: behind it, sends would queue. */
const LOCK_TIMEOUT_MS = 2_000;
const WEEK_MS = 7 * 86_400_000;

/** Partitions whose week began before a moment, oldest first. */
export async function findPartitionsBefore(
	sql: Queryable,
	table: PartitionedTable,
	moment: Date,
): Promise<string[]> {
	const end = `${table}_${moment.toISOString().slice(0, 10).replaceAll("-", "")}`;
	const rows = await sql<{ name: string }[]>`
		select relname as name
		from pg_inherits
		join pg_class on pg_class.oid = inhrelid
		where inhparent = ${table}::regclass
		and relname ~ ${`^${table}_[0-9]{8}$`}
		and relname < ${end}
		order by relname
	`;
	return rows.map(({ name }) => name);
}

/** Whether a message of the week that a partition is named after is still to be sent. */
export async function hasWork(sql: Queryable, name: string): Promise<boolean> {
	const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
	const from = new Date(`${year}-${month}-${day}T00:00:00Z`);
	const isOfWeek = sql`
		message_id >= ${firstIdAt(from)}
		and message_id < ${firstIdAt(new Date(from.getTime() + WEEK_MS))}
	`;
	const [row] = await sql<[{ hasWork: boolean }]>`
		select
			exists (select from dispatch where ${isOfWeek})
			or exists (select from scheduled_messages where ${isOfWeek}) as "hasWork"
	`;
	return row.hasWork;
}

/** Drops a week of a table with its rows; false when another process has done so meanwhile. */
export async function dropPartition(
	sql: Tx,
	table: PartitionedTable,
	name: string,
): Promise<boolean> {
	await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
	const [row] = await sql<[{ dropped: boolean }]>`
		select drop_partition(${table}, ${name}) as dropped
	`;
	return row.dropped;
}

/** Deletes rows of before a moment that the default partition took, but for what is scheduled; returns how many. */
export async function deleteStraysBefore(
	sql: Queryable,
	table: PartitionedTable,
	moment: Date,
	limit: number,
): Promise<number> {
	const id = sql(ID_COLUMN[table]);
	const isOld = sql`
		${id} < ${firstIdAt(moment)}
		and not exists (select from scheduled_messages where message_id = ${sql(`${table}_default`)}.${id})
	`;
	return deleteBatch(sql, `${table}_default`, isOld, limit);
}
