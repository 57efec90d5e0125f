import type { Db } from "../database/database.ts";
import { type Apply, committing } from "./consumer.ts";
import { toDetail, toReason } from "./dead-letters.ts";
import { type EventRow, selectEvent, toEvent } from "./event-rows.ts";

interface RedriveResult {
	readonly applied: number;
	readonly failed: number;
}

/** Applies parked events again, each in a transaction of its own with the removal of its letter. */
export async function redriveDeadLetters(
	sql: Db,
	{ group, ids }: { readonly group: string; readonly ids: number[] | "all" },
	apply: Apply,
): Promise<RedriveResult> {
	const result = { applied: 0, failed: 0 };
	for (const id of await findLetterIds(sql, group, ids)) {
		try {
			if (await redrive(sql, id, apply)) result.applied++;
		} catch (error) {
			await recordFailure(sql, id, error);
			result.failed++;
		}
	}
	return result;
}

async function findLetterIds(
	sql: Db,
	group: string,
	ids: number[] | "all",
): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		select id
		from dead_letters
		where consumer_group = ${group}
		and (${ids === "all"} or id = any(${ids === "all" ? [] : ids}::bigint[]))
		order by id
	`;
	return rows.map(({ id }) => id);
}

/** Returns false when somebody else has taken the letter. */
async function redrive(sql: Db, id: number, apply: Apply): Promise<boolean> {
	return committing(sql, async (sql, afterCommit) => {
		const rows = await sql<EventRow[]>`
			delete from dead_letters
			where id = ${id}
			returning ${selectEvent(sql)}
		`;
		const events = rows.map(toEvent);
		if (events.length > 0) await apply(sql, events, afterCommit);
		return events.length > 0;
	});
}

async function recordFailure(
	sql: Db,
	id: number,
	error: unknown,
): Promise<void> {
	await sql`
		update dead_letters
		set
			attempts = attempts + 1,
			reason = ${toReason(error)},
			detail = ${toDetail(error)}
		where id = ${id}
	`;
}
