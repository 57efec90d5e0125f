import type { Tx } from "@airtower/platform/database/database";
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
			state = ended.state,
			operator_error = ended.operator_error
		from unnest(
			${ends.map((end) => end.messageId)}::uuid[],
			${ends.map((end) => end.number)}::smallint[],
			${ends.map((end) => end.state)}::text[],
			${ends.map((end) => end.operatorError)}::text[]
		) as ended (message_id, number, state, operator_error)
		where parts.message_id = ended.message_id
		and parts.message_id between ${first} and ${last}
		and parts.number = ended.number
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
