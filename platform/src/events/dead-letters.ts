import type { Db, Queryable } from "../database/database.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { type Apply, committing } from "./apply.ts";
import type { BusEvent } from "./event-bus.ts";
import {
	type EventRow,
	eventColumns,
	selectEvent,
	toEvent,
} from "./event-rows.ts";

export interface DeadLetter {
	readonly id: number;
	readonly group: string;
	readonly reason: string;
	readonly detail: string;
	readonly attempts: number;
	readonly parkedAt: Date;
	readonly event: BusEvent;
}

export interface RedriveResult {
	readonly applied: number;
	readonly failed: number;
}

const MAX_DETAIL_CHARACTERS = 500;
export const MAX_LISTED = 1_000;

export async function insertDeadLetter(
	sql: Queryable,
	group: string,
	event: BusEvent,
	error: unknown,
): Promise<void> {
	await sql`
		insert into dead_letters (consumer_group, ${eventColumns(sql)}, reason, detail)
		values (
			${group},
			${event.id},
			${storable(event.topic)},
			${storable(event.type)},
			${storable(event.key)},
			${storable(event.organizationId)},
			${Buffer.from(event.payload)},
			${event.traceparent === undefined ? null : storable(event.traceparent)},
			${toReason(error)},
			${toDetail(error)}
		)
		on conflict do nothing
	`;
}

export async function listDeadLetters(
	sql: Queryable,
	group: string,
	limit = MAX_LISTED,
): Promise<DeadLetter[]> {
	const rows = await sql<LetterRow[]>`
		select
			id as "letterId",
			consumer_group as "group",
			reason,
			detail,
			attempts,
			parked_at as "parkedAt",
			${selectEvent(sql)}
		from dead_letters
		where consumer_group = ${group}
		order by dead_letters.id
		limit ${limit}
	`;
	return rows.map(toDeadLetter);
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

type LetterRow = EventRow &
	Omit<DeadLetter, "id" | "event"> & { readonly letterId: number };

function toDeadLetter(row: LetterRow): DeadLetter {
	const { letterId, group, reason, detail, attempts, parkedAt } = row;
	return {
		...{ id: letterId, group, reason, detail, attempts, parkedAt },
		event: toEvent(row),
	};
}

function toReason(error: unknown): string {
	if (error instanceof DomainError) return error.reason;
	return error instanceof Error ? error.name : "unknown";
}

function toDetail(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return storable(text.slice(0, MAX_DETAIL_CHARACTERS));
}

/** PostgreSQL's text holds any character but NUL, which a foreign record may bring. */
function storable(text: string): string {
	return text.replaceAll("\u0000", "\uFFFD");
}
