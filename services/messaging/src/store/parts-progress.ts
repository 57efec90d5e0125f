import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { MessageProgress } from "../domain/message-end.ts";
import type { PartEnd } from "../domain/receipts/receipt-effects.ts";
import { idRange } from "./id-range.ts";

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
