import { transaction } from "@airtower/platform/database/database";
import { isLockTimeout } from "@airtower/platform/database/sql-errors";
import { addMonths } from "@airtower/platform/runtime/clock";
import type { CommonContext } from "../context.ts";
import { MAX_WAIT_MS as MAX_QUIET_MS } from "../domain/quiet-hours/quiet-hours.ts";
import { MAX_AHEAD_MS } from "../domain/send-time.ts";
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
 * still to be sent or may get its receipt; and inbound texts of before then, which have no partitions. Returns how many
 * rows went that no week took with it. What a long query holds is dropped the next time: sends wait behind each try, so
 * the first that fails is the last of its table.
 */
export async function dropPartitions(ctx: CommonContext): Promise<number> {
	const { sql, log, clock, limits } = ctx;
	const moment = addMonths(clock(), -limits.recordMonths);
	const ended = earlier(moment, lastAccepted(clock(), limits));
	const lastWeek = new Date(ended.getTime() - WEEK_MS);
	let strays = 0;
	for (const table of PARTITIONED_TABLES) {
		for (const name of await findPartitionsBefore(sql, table, lastWeek)) {
			if (await hasWork(sql, name)) continue;
			try {
				if (await transaction(sql, (sql) => dropPartition(sql, table, name)))
					log.info({ partition: name }, "dropped what is past its retention");
			} catch (error) {
				if (!isLockTimeout(error)) throw error;
				break;
			}
		}
		strays += await deleteStraysBefore(sql, table, ended, STRAYS);
	}
	return strays + (await deleteInboundBefore(sql, moment, STRAYS));
}

/**
 * What was accepted before has its receipt, or gets none any more: one that was scheduled is longer under way than a
 * month has days.
 */
function lastAccepted(
	now: Date,
	{ validityMs, noReceiptMs }: CommonContext["limits"],
): Date {
	const waitMs = MAX_AHEAD_MS + MAX_QUIET_MS;
	return new Date(now.getTime() - waitMs - validityMs - noReceiptMs);
}

function earlier(one: Date, other: Date): Date {
	return one < other ? one : other;
}
