import { type Db, transaction } from "@airtower/platform/database/database";
import { postgresCode } from "@airtower/platform/database/sql-errors";
import type { CommonContext } from "../context.ts";
import { weeksFrom } from "../domain/partition-weeks.ts";
import {
	CrowdedDefaultError,
	createPartition,
	PARTITIONED_TABLES,
	type Partition,
	partitionName,
} from "../store/partitions.ts";

/** This week and the coming ones, so that the job may fail for a month before the default fills. */
const WEEKS = 5;

/** Partitions could not be created. Nothing waits for them: the default partitions take their rows. */
export class MissingPartitionsError extends Error {
	override readonly name = "MissingPartitionsError";

	constructor(failures: readonly string[]) {
		super(
			`Partitions are missing; the default partition takes their rows until they can be created. ${failures.join(". ")}.`,
		);
	}
}

/**
 * Creates the partitions that are missing; returns how many. Throws MissingPartitionsError, which names those that the
 * database refused, once all the others are there.
 */
export async function createPartitions(sql: Db, now: Date): Promise<number> {
	let created = 0;
	const failures: string[] = [];
	for (const table of PARTITIONED_TABLES)
		for (const week of weeksFrom(now, WEEKS)) {
			const partition = { table, ...week };
			try {
				if (await create(sql, partition)) created++;
			} catch (error) {
				failures.push(`${partitionName(partition)}: ${refusalOf(error)}`);
			}
		}
	if (failures.length > 0) throw new MissingPartitionsError(failures);
	return created;
}

function create(sql: Db, partition: Partition): Promise<boolean> {
	return transaction(sql, (sql) => createPartition(sql, partition));
}

function refusalOf(error: unknown): string {
	if (error instanceof CrowdedDefaultError) return error.message;
	const code = postgresCode(error);
	if (code === undefined || !(error instanceof Error)) throw error;
	return `${error.message} (${code})`;
}

/**
 * Creates missing partitions and logs those that cannot be: nothing waits for them until the next regular try. Returns
 * 0.
 */
export async function keepPartitions({
	sql,
	log,
	clock,
}: Pick<CommonContext, "sql" | "log" | "clock">): Promise<number> {
	try {
		await createPartitions(sql, clock());
	} catch (err) {
		if (!(err instanceof MissingPartitionsError)) throw err;
		log.error({ err }, "partitions are missing");
	}
	return 0;
}
