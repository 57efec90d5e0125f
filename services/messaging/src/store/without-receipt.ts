import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { ScanPage } from "@airtower/platform/work/resumable-scan";
import { idRange } from "./messages.ts";

interface SubmittedPage extends ScanPage {
	/** Submitted, and sent at once. */
	readonly submitted: readonly string[];
	/** Scheduled, and not ended. */
	readonly scheduled: readonly string[];
}

/**
 * Of the next messages after an id, up to `limit`, that were accepted `ageMs` ago by the database's clock, those that
 * have not ended; undefined where there are none.
 */
export async function findSubmitted(
	sql: Queryable,
	after: string,
	ageMs: number,
	limit: number,
): Promise<SubmittedPage | undefined> {
	const [{ now }] = await sql<[{ now: Date }]>`select now() as now`;
	const [page] = await sql<SubmittedPage[]>`
		select
			(array_agg(id order by id desc))[1] as "end",
			coalesce(array_agg(id) filter (where status = 'submitted' and send_at is null), '{}') as submitted,
			coalesce(array_agg(id) filter (where finished_at is null and send_at is not null), '{}') as scheduled
		from (
			select id, status, send_at, finished_at
			from messages
			where id > ${after}
			and id < ${firstIdAt(new Date(now.getTime() - ageMs))}
			order by id
			limit ${limit}
		) as passed
		having count(*) > 0
	`;
	return page;
}

/** Notes those of the messages that were scheduled: their receipts are due so long after their time, ms. */
export async function noteLateReceipts(
	sql: Tx,
	messageIds: readonly string[],
	ageMs: number,
): Promise<void> {
	if (messageIds.length === 0) return;
	const { first, last } = idRange(messageIds);
	await sql`
		insert into late_receipts (message_id, due_at)
		select id, send_at + ${ageMs} * interval '1 millisecond'
		from messages
		where id = any(${[...messageIds]}::uuid[])
		and id between ${first} and ${last}
		and send_at is not null
		on conflict do nothing
	`;
}

/** Takes the noted messages whose receipt should have come; returns those of them that are submitted. */
export async function takeLateReceipts(
	sql: Tx,
	limit: number,
): Promise<{ readonly taken: number; readonly submitted: string[] }> {
	const due = await byIndex(
		sql,
		(sql) => sql<{ id: string }[]>`
		select message_id as id
		from late_receipts
		where due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`,
	);
	const ids = due.map(({ id }) => id);
	if (ids.length === 0) return { taken: 0, submitted: [] };
	const { first, last } = idRange(ids);
	await sql`
		delete from late_receipts
		where message_id = any(${ids}::uuid[])
	`;
	const submitted = await sql<{ id: string }[]>`
		select id
		from messages
		where id = any(${ids}::uuid[])
		and id between ${first} and ${last}
		and status = 'submitted'
	`;
	return { taken: ids.length, submitted: submitted.map(({ id }) => id) };
}
