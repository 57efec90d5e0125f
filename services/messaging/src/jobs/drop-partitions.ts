import { transaction } from "@airtower/platform/database/database";
import { isLockTimeout } from "@airtower/platform/database/sql-errors";
import { addMonths } from "@airtower/platform/runtime/clock";
import type { CommonContext } from "../context.ts";
import { deleteInboundBefore } from "../store/inbound/inbound-messages.ts";
import {
	deleteStraysBefore,
	dropPartition,
	findPartitionsBefore,
	hasWork,
} from "../store/old-partitions.ts";
import { PARTITIONED_TABLES } from "../store/partitions.ts";

const WEEK_MS = 7 * 86_400_000;
const STRAYS = 5_000;

/**
 * Drops messages and parts that came more than so many months ago, a week at a time, and none of which a message is
 * still to be sent; and inbound texts of before then, which have no partitions. Returns how many rows went that no week
 * took with it. What a long query holds is dropped the next time.
 */
export async function dropPartitions(ctx: CommonContext): Promise<number> {
	const { sql, log, clock, limits } = ctx;
	const moment = addMonths(clock(), -limits.recordMonths);
	const lastWeek = new Date(moment.getTime() - WEEK_MS);
	let strays = 0;
	for (const table of PARTITIONED_TABLES) {
		for (const name of await findPartitionsBefore(sql, table, lastWeek)) {
			if (await hasWork(sql, name)) continue;
			try {
				if (await transaction(sql, (sql) => dropPartition(sql, table, name)))
					log.info({ partition: name }, "dropped what is past its retention");
			} catch (error) {
				if (!isLockTimeout(error)) throw error;
			}
		}
		strays += await deleteStraysBefore(sql, table, moment, STRAYS);
	}
	return strays + (await deleteInboundBefore(sql, moment, STRAYS));
}
