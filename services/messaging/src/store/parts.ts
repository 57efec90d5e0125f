import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { MessageProgress, PartEnd } from "../domain/receipt-effects.ts";
import { groupAlike } from "./groups.ts";
import { idRange } from "./id-range.ts";

export interface NewPart {
	readonly messageId: string;
	/** Place of the part, from 1. */
	readonly number: number;
	/** Parts of the whole message. */
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

/** Numbers of the parts that operators have taken, with how many parts there are, of all organizations. */
export async function findTakenParts(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<
	{
		readonly messageId: string;
		readonly number: number;
		readonly partCount: number;
	}[]
> {
	if (messageIds.length === 0) return [];
	const { first, last } = idRange(messageIds);
	return sql<{ messageId: string; number: number; partCount: number }[]>`
		select
			message_id as "messageId",
			number,
			part_count as "partCount"
		from parts
		where message_id = any(${[...messageIds]}::uuid[])
		and message_id between ${first} and ${last}
		order by message_id, number
	`;
}

/** The parts of a message, in order. */
export async function findParts(
	sql: Queryable,
	messageId: string,
): Promise<PartRow[]> {
	return sql<PartRow[]>`
		select
			number,
			operator_message_id as "operatorMessageId",
			state,
			operator_error as "operatorError"
		from parts
		where message_id = ${messageId}
		order by number
	`;
}

/** Ends parts that have not ended before; the first final receipt of a part wins. */
export async function finishParts(
	sql: Tx,
	ends: readonly PartEnd[],
): Promise<void> {
	const groups = groupAlike(ends, ({ number, state, operatorError }) => ({
		number,
		state,
		operatorError,
	}));
	await Promise.all(
		groups.map(({ shared: { number, state, operatorError }, items }) => {
			const messageIds = items.map((end) => end.messageId);
			const { first, last } = idRange(messageIds);
			return sql`
				update parts
				set
					state = ${state},
					operator_error = ${operatorError}
				where message_id = any(${messageIds}::uuid[])
				and message_id between ${first} and ${last}
				and number = ${number}
				and state = 'submitted'
			`;
		}),
	);
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
