import type { Queryable, Tx } from "@airtower/platform/database/database";

export interface NewPart {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
	readonly operatorAccount: string;
	readonly operatorMessageId: string;
	readonly operatorKey: string;
}

export interface PartRow {
	readonly number: number;
	readonly operatorMessageId: string;
	readonly state: "submitted" | "delivered" | "failed";
	readonly operatorError: string | null;
}

/** Stores parts that were taken; safe to repeat when the answer to the commit was lost. */
export async function insertParts(
	sql: Tx,
	parts: readonly NewPart[],
): Promise<void> {
	if (parts.length === 0) return;
	await sql`
		insert into parts (
			message_id, number, part_count,
			operator_account, operator_message_id, operator_key
		)
		select *
		from unnest(
			${parts.map((part) => part.messageId)}::uuid[],
			${parts.map((part) => part.number)}::smallint[],
			${parts.map((part) => part.partCount)}::smallint[],
			${parts.map((part) => part.operatorAccount)}::text[],
			${parts.map((part) => part.operatorMessageId)}::text[],
			${parts.map((part) => part.operatorKey)}::text[]
		)
		on conflict (message_id, number) do nothing
	`;
}

/** The parts of a message, in order. The part of a message of one part ends with the message. */
export async function findParts(
	sql: Queryable,
	messageId: string,
): Promise<PartRow[]> {
	return sql<PartRow[]>`
		select
			number,
			operator_message_id as "operatorMessageId",
			case
				when parts.part_count > 1 or reason = 'no_receipt' then state
				when finished_at is not null then status
				else state
			end as state,
			coalesce(parts.operator_error, receipt_error) as "operatorError"
		from parts
		join messages on messages.id = message_id
		where message_id = ${messageId}
		order by number
	`;
}
