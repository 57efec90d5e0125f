import type { Tx } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";

export const PARTITIONED_TABLES = ["messages", "parts"] as const;
export const ID_COLUMN = { messages: "id", parts: "message_id" } as const;

interface Partition {
	readonly table: (typeof PARTITIONED_TABLES)[number];
	readonly from: Date;
	readonly to: Date;
}

/** The default partition holds more of a partition's rows than may be moved while everybody waits. */
export class CrowdedDefaultError extends Error {
	override readonly name = "CrowdedDefaultError";
}

/** Longest wait for the lock that attaching needs, ms: behind it, sends queue. */
const LOCK_TIMEOUT_MS = 2_000;
/** Room on each page for the next, longer version of all its rows: updates stay heap-only. */
const FILLFACTOR = 40;
const HOW_TO_MOVE =
	"To separate them, stop messaging, move them by hand to a table of this name and attach it";
/** About a second in which the table is locked. */
const MAX_MOVED = 10_000;

/** Returns whether it was created. Rows in the default partition move over. Throws CrowdedDefaultError. */
export async function createPartition(
	sql: Tx,
	partition: Partition,
): Promise<boolean> {
	const { table } = partition;
	const name = partitionName(partition);
	const { first, end } = idsOf(partition);
	await sql`select pg_advisory_xact_lock(hashtext(current_schema()), hashtext(${name}))`;
	const [found] = await sql`select to_regclass(${name}) is not null as exists`;
	if (found?.exists === true) return false;
	await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
	// Attaching takes it anyway; before the look into the default partition, it keeps two that do so from a deadlock.
	await sql.unsafe(`lock table only ${table} in share update exclusive mode`);
	const hasStrays = await findStrays(sql, partition);
	// A statement that chose its partitions before this one is attached would miss the rows that move.
	if (hasStrays)
		await sql.unsafe(`lock table only ${table} in access exclusive mode`);
	await sql`select create_partition(${table}, ${name}, ${FILLFACTOR})`;
	if (hasStrays) await moveStrays(sql, partition);
	await sql`select attach_partition(${table}, ${name}, ${first}, ${end})`;
	return true;
}

async function findStrays(sql: Tx, partition: Partition): Promise<boolean> {
	const { table } = partition;
	const id = ID_COLUMN[table];
	const { first, end } = idsOf(partition);
	const strays = await sql.unsafe(`
		select
		from ${table}
		where ${id} >= '${first}'
		and ${id} < '${end}'
		limit ${MAX_MOVED + 1}
	`);
	if (strays.count > MAX_MOVED)
		throw new CrowdedDefaultError(
			`${table}_default holds more than ${MAX_MOVED} rows of it, which stay and are found there. ${HOW_TO_MOVE}`,
		);
	return strays.count > 0;
}

async function moveStrays(sql: Tx, partition: Partition): Promise<void> {
	const { table } = partition;
	const id = ID_COLUMN[table];
	const { first, end } = idsOf(partition);
	await sql.unsafe(`
		with moved as (
			delete from ${table}
			where ${id} >= '${first}'
			and ${id} < '${end}'
			returning *
		)
		insert into ${partitionName(partition)}
		select *
		from moved
	`);
}

/** By the first day of its week, UTC. */
export function partitionName({
	table,
	from,
}: Pick<Partition, "table" | "from">): string {
	return `${table}_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function idsOf({ from, to }: Partition) {
	return { first: firstIdAt(from), end: firstIdAt(to) };
}
