import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { WaitingPart } from "../../domain/receipts/judge-receipt.ts";
import { TAIL_DIGITS } from "../../domain/receipts/receipt.ts";
import { idRange } from "../messages.ts";

interface IdSpan {
	readonly first: string;
	readonly before: string;
}

const columns = (sql: Queryable) => sql`
	operator_account as account,
	message_id as "messageId",
	number,
	operator_message_id as "operatorMessageId",
	operator_key as "operatorKey",
	right(recipient, ${TAIL_DIGITS}) as "recipientTail",
	right(sender_value, ${TAIL_DIGITS}) as "senderTail",
	submitted_at as "submittedAt",
	receipts_before::float8 as "receiptsBefore"
`;

/** A receipt may still end it. */
const isWaiting = (sql: Queryable) => sql`(
	state = 'submitted'
	and (finished_at is null or parts.part_count > 1)
)`;

interface WaitingParts {
	readonly parts: readonly WaitingPart[];
	/** The first message whose parts were looked at; undefined: those of the whole span were. */
	readonly since: string | undefined;
}

/** Of all accounts: those that wait among the newest `limit` parts of messages in the span. */
export async function findWaitingParts(
	sql: Queryable,
	{ first, before }: IdSpan,
	limit: number,
): Promise<WaitingParts> {
	const [bound] = await sql<{ since: string }[]>`
		select message_id as since
		from parts
		where message_id >= ${first}
		and message_id < ${before}
		order by message_id desc
		offset ${limit - 1}
		limit 1
	`;
	const from = bound?.since ?? first;
	const find = (sql: Tx) => sql<WaitingPart[]>`
		select ${columns(sql)}
		from parts
		join messages on messages.id = message_id
		where message_id >= ${from}
		and message_id < ${before}
		and messages.id >= ${from}
		and ${isWaiting(sql)}
	`;
	const parts = await byIndex(sql, find);
	return { parts, since: bound?.since };
}

/** Parts of one key that are looked at, the newest: a good operator has one. */
const MOST_OF_A_KEY = 100;

/** Those of an account that are stored under one of these keys and wait. */
export async function findWaitingPartsOf(
	sql: Tx,
	account: string,
	keys: readonly string[],
	firstId: string,
): Promise<WaitingPart[]> {
	return sql<WaitingPart[]>`
		select ${columns(sql)}
		from unnest(${[...keys]}::text[]) as wanted (key)
		cross join lateral (
			select *
			from parts
			where operator_account = ${account}
			and operator_key = wanted.key
			and message_id >= ${firstId}
			order by message_id desc
			limit ${MOST_OF_A_KEY}
		) as parts
		join messages on messages.id = message_id
		where ${isWaiting(sql)}
		and messages.id >= ${firstId}
	`;
}

/** A place in the order of parts. */
export interface PartPlace {
	readonly messageId: string;
	readonly number: number;
}

interface PassedParts {
	/** Of the account, waiting, and locked for the transaction. */
	readonly waiting: readonly WaitingPart[];
	/** The last one that was passed, of any account; undefined when there are no more. */
	readonly last: PartPlace | undefined;
}

/**
 * Passes the next `limit` parts of all accounts after a place. What others hold is passed over: a receipt ends it at
 * this moment.
 */
export async function lockWaitingParts(
	sql: Tx,
	account: string,
	{ messageId, number }: PartPlace,
	limit: number,
): Promise<PassedParts> {
	const passed = await sql<(PartPlace & { mayWait: boolean })[]>`
		select
			message_id as "messageId",
			number,
			operator_account = ${account} and state = 'submitted' as "mayWait"
		from parts
		where message_id >= ${messageId}
		and (message_id, number) > (${messageId}, ${number})
		order by message_id, number
		limit ${limit}
	`;
	const places = passed.filter(({ mayWait }) => mayWait);
	const last = passed.length < limit ? undefined : passed.at(-1);
	return { waiting: await lockParts(sql, places), last };
}

async function lockParts(
	sql: Tx,
	places: readonly PartPlace[],
): Promise<WaitingPart[]> {
	if (places.length === 0) return [];
	const { first, last } = idRange(places.map(({ messageId }) => messageId));
	return sql<WaitingPart[]>`
		select ${columns(sql)}
		from ${unnest(sql, places, PLACE, { as: "place", names: { messageId: "id", number: "nth" } })}
		join parts on parts.message_id = place.id and parts.number = place.nth
		join messages on messages.id = place.id
		where ${isWaiting(sql)}
		and parts.message_id between ${first} and ${last}
		and messages.id between ${first} and ${last}
		for update of parts skip locked
	`;
}

const PLACE = { messageId: "uuid", number: "smallint" } as const;

const REKEYED = {
	messageId: "uuid",
	number: "smallint",
	operatorKey: "text",
} as const;

/** Stores parts under another key; returns how many. */
export async function rekeyParts(
	sql: Tx,
	parts: readonly Pick<WaitingPart, keyof typeof REKEYED>[],
): Promise<number> {
	if (parts.length === 0) return 0;
	const { first, last } = idRange(parts.map(({ messageId }) => messageId));
	const rekeyed = await sql`
		update parts
		set operator_key = given.operator_key
		from ${unnest(sql, parts, REKEYED)}
		where parts.message_id = given.message_id
		and parts.message_id between ${first} and ${last}
		and parts.number = given.number
	`;
	return rekeyed.count;
}
