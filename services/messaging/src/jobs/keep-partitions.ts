import { type Db, transaction } from "@airtower/platform/database/database";
import { postgresCode } from "@airtower/platform/database/sql-errors";
import type { CommonContext } from "../context.ts";
import { weeksFrom } from "../domain/partition-weeks.ts";
import {
	CrowdedDefaultError,
	createPartition,
	PARTITIONED_TABLES,
	partitionName,
} from "../store/partitions.ts";

/** Logs what cannot be created; returns 0, for nothing waits for it until the next regular try. */
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

/** This week and the coming ones, so that the job may fail for a month before the default fills. */
const WEEKS = 5;

/** Nothing waits for missing partitions: the default partitions take their rows. */
class MissingPartitionsError extends Error {
	override readonly name = "MissingPartitionsError";
}

/** Returns how many it created. Throws, naming those that the database refused, once all the others are there. */
export async function createPartitions(sql: Db, now: Date): Promise<number> {
	let created = 0;
	const failures: string[] = [];
	const missing = PARTITIONED_TABLES.flatMap((table) =>
		weeksFrom(now, WEEKS).map((week) => ({ table, ...week })),
	);
	for (const partition of missing)
		try {
			if (await transaction(sql, (sql) => createPartition(sql, partition)))
				created++;
		} catch (error) {
			failures.push(`${partitionName(partition)}: ${refusalOf(error)}`);
		}
	if (failures.length > 0)
		throw new MissingPartitionsError(
			`Partitions are missing; the default partition takes their rows until they can be created. ${failures.join(". ")}.`,
		);
	return created;
}

function refusalOf(error: unknown): string {
	if (error instanceof CrowdedDefaultError) return error.message;
	const code = postgresCode(error);
	if (code === undefined || !(error instanceof Error)) throw error;
	return `${error.message} (${code})`;
}
