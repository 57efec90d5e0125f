import { byIndex } from "@airtower/platform/database/by-index";
import type { Tx } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import type { Charset } from "../../domain/inbound/charset.ts";
import type { LongPart } from "../../domain/inbound/inbound-part.ts";

/** What the parts of one text have in common. */
interface TextKey {
	readonly operatorAccount: string;
	readonly sender: string;
	readonly recipient: string;
	readonly referenceBits: number;
	readonly reference: number;
	readonly total: number;
}

/** A part that waits for the others. */
export interface WaitingPart extends TextKey {
	readonly id: number;
	readonly route: string;
	readonly number: number;
	readonly charset: Charset;
	readonly octets: Buffer;
	readonly receivedAt: Date;
	/** Whether it has waited for as long as a part does. */
	readonly isDue: boolean;
}

const KEY = {
	operatorAccount: "text",
	sender: "text",
	recipient: "text",
	referenceBits: "smallint",
	reference: "integer",
	total: "smallint",
} as const;

const PART = {
	...KEY,
	route: "text",
	number: "smallint",
	charset: "text",
	octets: "bytea",
} as const;

/** Locks of all texts together: a transaction takes no more than so many. */
const LOCKS = 64;

const keyColumns = (sql: Tx) => toColumnList(sql, KEY);

/** Until the transaction ends, parts of these texts come in no other one; locks are taken in order. */
export async function lockTexts(
	sql: Tx,
	keys: readonly TextKey[],
): Promise<void> {
	await sql`
		select pg_advisory_xact_lock(hashtext(current_schema() || '.inbound_parts'), slot)
		from (
			select distinct hashtext(row(${keyColumns(sql)})::text) & ${LOCKS - 1}::integer as slot
			from ${unnest(sql, keys, KEY)}
			order by slot
		) as slots
	`;
}

/** They wait for so long, ms. */
export async function insertParts(
	sql: Tx,
	parts: readonly LongPart[],
	waitMs: number,
): Promise<void> {
	const rows = parts.map(({ place, ...part }) => ({ ...part, ...place }));
	await sql`
		insert into inbound_parts (${toColumnList(sql, PART)}, due_at)
		select ${toColumnList(sql, PART)}, now() + ${waitMs} * interval '1 millisecond'
		from ${unnest(sql, rows, PART, { ordinal: "nth" })}
		order by nth
	`;
}

/** All parts of these texts, in the order in which they came. */
export async function findPartsOf(
	sql: Tx,
	keys: readonly TextKey[],
): Promise<WaitingPart[]> {
	return sql<WaitingPart[]>`
		select
			id,
			route,
			operator_account as "operatorAccount",
			sender,
			recipient,
			reference_bits as "referenceBits",
			reference,
			total,
			number,
			charset,
			octets,
			received_at as "receivedAt",
			due_at <= now() as "isDue"
		from (
			select distinct ${keyColumns(sql)}
			from ${unnest(sql, keys, KEY)}
		) as wanted
		cross join lateral (
			select id, route, number, charset, octets, received_at, due_at
			from inbound_parts
			where inbound_parts.operator_account = wanted.operator_account
			and inbound_parts.sender = wanted.sender
			and inbound_parts.recipient = wanted.recipient
			and inbound_parts.reference_bits = wanted.reference_bits
			and inbound_parts.reference = wanted.reference
			and inbound_parts.total = wanted.total
			limit ${MOST_OF_TEXT}
		) as part
		order by id
	`;
}

/** More than the parts of several texts of one reference. */
const MOST_OF_TEXT = 2_000;

export async function deleteParts(
	sql: Tx,
	ids: readonly number[],
): Promise<void> {
	await sql`
		delete from inbound_parts
		where id = any(${[...ids]}::bigint[])
	`;
}

/** Texts of which a part has waited for long enough, the longest first. */
export async function findOverdueTexts(
	sql: Tx,
	limit: number,
): Promise<TextKey[]> {
	return byIndex(
		sql,
		(sql) => sql<TextKey[]>`
			select
				operator_account as "operatorAccount",
				sender,
				recipient,
				reference_bits as "referenceBits",
				reference,
				total
			from inbound_parts
			where due_at <= now()
			order by due_at
			limit ${limit}
		`,
	);
}
