import { type Db, transaction } from "@airtower/platform/database";
import { weeksFrom } from "../domain/partition-weeks.ts";
import { createPartition, PARTITIONED_TABLES } from "../store/partitions.ts";

/** This week and the coming ones, so that the job may fail for a month before the default fills. */
const WEEKS = 5;

/** Creates the partitions that are missing; answers how many. */
export async function createPartitions(sql: Db, now: Date): Promise<number> {
	let created = 0;
	for (const table of PARTITIONED_TABLES)
		for (const week of weeksFrom(now, WEEKS)) {
			const isNew = await transaction(sql, (sql) =>
				createPartition(sql, { table, ...week }),
			);
			if (isNew) created++;
		}
	return created;
}
