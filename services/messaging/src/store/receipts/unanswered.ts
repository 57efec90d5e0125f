import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";
import { TAIL_DIGITS } from "../../domain/receipts/receipt.ts";
import { mayBeOfMissing, missingSubmits } from "./receipts.ts";

/** Notes the submits of unknown messages, in the transaction that declares them unknown. */
export async function insertUnanswered(
	sql: Tx,
	messageIds: readonly string[],
): Promise<void> {
	if (messageIds.length === 0) return;
	await sql`
		insert into unanswered (message_id, attempt, route, recipient_tail, sent_at, receipts_before, known_parts)
		select
			message_id,
			attempt,
			dispatch.route,
			right(recipient, ${TAIL_DIGITS}),
			coalesce(sent_at, accepted_at),
			receipts_before,
			(
				select count(*)
				from parts
				where parts.message_id = dispatch.message_id
			)
		from dispatch
		join messages on messages.id = message_id
		where message_id = any(${[...messageIds]}::uuid[])
		and unknown
		on conflict do nothing
	`;
}

/** Makes parked receipts due that may be of these messages. */
export async function wakeReceipts(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<void> {
	if (messageIds.length === 0) return;
	await sql`
		with ${missingSubmits(sql, messageIds)}
		update receipts
		set due_at = now()
		where ${mayBeOfMissing(sql)}
		and due_at > now()
	`;
}

type UnansweredSubmit = {
	readonly messageId: string;
	readonly attempt: number;
};

/** Forgets submits whose response came after all. */
export async function deleteAnswered(
	sql: Tx,
	submits: readonly UnansweredSubmit[],
): Promise<void> {
	if (submits.length === 0) return;
	await sql`
		delete from unanswered
		where (message_id, attempt) in (
			select *
			from ${unnest(sql, submits, { messageId: "uuid", attempt: "integer" })}
		)
	`;
}

/** Forgets the first submit of each of these messages: its receipt has come. */
export async function deleteReceipted(
	sql: Tx,
	messageIds: readonly string[],
): Promise<void> {
	await sql`
		delete from unanswered
		using (
			select message_id, min(attempt) as attempt
			from unanswered
			where message_id = any(${[...messageIds]}::uuid[])
			group by message_id
		) as first
		where unanswered.message_id = first.message_id
		and unanswered.attempt = first.attempt
	`;
}

/** Forgets up to `limit` submits whose receipt is not waited for any more; returns how many. */
export async function deleteOldUnanswered(
	sql: Queryable,
	retentionMs: number,
	limit: number,
): Promise<number> {
	const isOld = sql`sent_at < now() - ${retentionMs} * interval '1 millisecond'`;
	return deleteBatch(sql, "unanswered", isOld, limit);
}
