import type { Queryable } from "../database/database.ts";
import { DomainError } from "../runtime/domain-error.ts";
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
		select ${selectLetter(sql)}
		from dead_letters
		where consumer_group = ${group}
		order by dead_letters.id
		limit ${limit}
	`;
	return rows.map(toDeadLetter);
}

/** Returns what was deleted; the others are not parked in the group. */
export async function deleteDeadLetters(
	sql: Queryable,
	group: string,
	ids: readonly number[],
): Promise<DeadLetter[]> {
	const rows = await sql<LetterRow[]>`
		delete from dead_letters
		where consumer_group = ${group}
		and id = any(${ids}::bigint[])
		returning ${selectLetter(sql)}
	`;
	return rows.map(toDeadLetter);
}

function selectLetter(sql: Queryable) {
	return sql`
		id as "letterId",
		consumer_group as "group",
		reason,
		detail,
		attempts,
		parked_at as "parkedAt",
		${selectEvent(sql)}
	`;
}

type LetterRow = EventRow &
	Omit<DeadLetter, "id" | "event"> & { readonly letterId: number };

function toDeadLetter(row: LetterRow): DeadLetter {
	const { letterId, group, reason, detail, attempts, parkedAt } = row;
	return {
		id: letterId,
		group,
		reason,
		detail,
		attempts,
		parkedAt,
		event: toEvent(row),
	};
}

export function toReason(error: unknown): string {
	if (error instanceof DomainError) return error.reason;
	return error instanceof Error ? error.name : "unknown";
}

export function toDetail(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return storable(text.slice(0, MAX_DETAIL_CHARACTERS));
}

/** PostgreSQL's text can contain any character but NUL, which a foreign record may bring. */
function storable(text: string): string {
	return text.replaceAll("\u0000", "\uFFFD");
}
