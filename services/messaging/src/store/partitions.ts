import type { Tx } from "@airtower/platform/database";

/** The tables that are partitioned by message id, which begins with its time. */
export const PARTITIONED_TABLES = ["messages", "parts"] as const;

export interface Partition {
	readonly table: (typeof PARTITIONED_TABLES)[number];
	readonly from: Date;
	readonly to: Date;
}

/**
 * Longest wait for the lock that attaching needs, ms: behind it, sends would queue. Nobody queues behind
 * processes that start together and wait for each other's partition: they may take longer.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Room on each page for the next version of its rows: states then change in place, without the indexes. */
const FILLFACTOR = 50;

/**
 * Creates a partition unless it exists; answers whether it was created.
 * Made apart and attached, which locks out neither readers nor writers of the other partitions.
 */
export async function createPartition(
	sql: Tx,
	partition: Partition,
): Promise<boolean> {
	const { table, from, to } = partition;
	const name = partitionName(partition);
	await sql`select pg_advisory_xact_lock(hashtext(current_schema()), hashtext(${name}))`;
	const [found] = await sql`select to_regclass(${name}) is not null as exists`;
	if (found?.exists === true) return false;
	await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
	await sql.unsafe(`
		create table ${name} (like ${table} including all)
		with (fillfactor = ${FILLFACTOR})
	`);
	await sql.unsafe(`
		alter table ${table}
		attach partition ${name}
		for values from ('${firstIdAt(from)}') to ('${firstIdAt(to)}')
	`);
	return true;
}

function partitionName({ table, from }: Partition): string {
	return `${table}_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** The lowest id that a message of this moment can have (UUIDv7). */
export function firstIdAt(time: Date): string {
	const hex = time.getTime().toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
