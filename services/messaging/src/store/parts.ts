import type { Queryable, Tx } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import type { MessageProgress } from "../domain/message-state.ts";
import type { PartEnd } from "../domain/receipts/receipt.ts";
import { idRange } from "./messages.ts";

export interface NewPart {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
	readonly operatorAccount: string;
	readonly operatorMessageId: string;
	readonly operatorKey: string;
	/** No stored receipt up to this one is of it. */
	readonly receiptsBefore: number;
	/** How the text was split; absent where it is one part, and where it is not known. */
	readonly split?: number;
}

const PART = {
	messageId: "uuid",
	number: "smallint",
	partCount: "smallint",
	operatorAccount: "text",
	operatorMessageId: "text",
	operatorKey: "text",
	receiptsBefore: "bigint",
	split: "integer",
} as const;

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
		insert into parts (${toColumnList(sql, PART)})
		select *
		from ${unnest(sql, parts, PART)}
		on conflict (message_id, number) do nothing
	`;
}

/** Stores parts that were taken, in place of all that these messages had before. */
export async function replaceParts(
	sql: Tx,
	messageIds: readonly string[],
	parts: readonly NewPart[],
): Promise<void> {
	if (messageIds.length > 0) {
		const { first, last } = idRange(messageIds);
		await sql`
			delete from parts
			where message_id = any(${[...messageIds]}::uuid[])
			and message_id between ${first} and ${last}
		`;
	}
	await insertParts(sql, parts);
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

/** Ends parts that have not ended before; the first final receipt of a part counts. */
export async function finishParts(
	sql: Tx,
	ends: readonly PartEnd[],
): Promise<void> {
	if (ends.length === 0) return;
	const { first, last } = idRange(ends.map((end) => end.messageId));
	await sql`
		update parts
		set
			state = given.state,
			operator_error = given.operator_error
		from ${unnest(sql, ends, {
			messageId: "uuid",
			number: "smallint",
			state: "text",
			operatorError: "text",
		})}
		where parts.message_id = given.message_id
		and parts.message_id between ${first} and ${last}
		and parts.number = given.number
		and parts.state = 'submitted'
	`;
}

export async function findPartsProgress(
	sql: Tx,
	messageIds: readonly string[],
): Promise<MessageProgress[]> {
	if (messageIds.length === 0) return [];
	const { first, last } = idRange(messageIds);
	return sql<MessageProgress[]>`
		select
			message_id as "messageId",
			max(part_count) as "partCount",
			count(*) filter (where state = 'delivered') as delivered,
			count(*) filter (where state = 'failed') as failed
		from parts
		where message_id = any(${[...messageIds]}::uuid[])
		and message_id between ${first} and ${last}
		group by message_id
	`;
}
