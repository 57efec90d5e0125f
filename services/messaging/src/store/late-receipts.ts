import { byIndex } from "@airtower/platform/database/by-index";
import type { Tx } from "@airtower/platform/database/database";
import { idRange } from "./messages.ts";

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
