import type { Queryable, Tx } from "@airtower/platform/database/database";
import { isAfter, type RowKey } from "@airtower/platform/database/page";
import { unnest } from "@airtower/platform/database/unnest";
import {
	type ErasableTable,
	foundTable,
} from "@airtower/platform/privacy/erasable-table";
import type postgres from "postgres";

export type OptOutSource = "keyword" | "api" | "import" | "whatsapp";

export interface OptOutRow {
	readonly id: string;
	/** Empty once it was erased. */
	readonly recipient: string;
	/** Empty: all senders of the organization. */
	readonly sender: string;
	readonly source: OptOutSource;
	readonly createdAt: Date;
}

export interface NewOptOut {
	readonly id: string;
	readonly recipient: string;
	readonly sender: string;
}

/**
 * The keyed hash by which a number is found. The key is drawn once for each database and stays in it: an entry does not
 * tell its number, and who has the database and time can only try them all.
 */
const hashOf = (sql: Queryable, recipient: postgres.Fragment) => sql`
	sha256(${key(sql)} || sha256(${key(sql)} || convert_to(${recipient}, 'UTF8')))
`;

/** Condition on an entry: it is for this sender, or for all. Sender IDs that differ only in case are one. */
const isOfSender = (sql: Queryable, sender: postgres.Fragment) => sql`
	lower(opt_outs.sender) in ('', lower(${sender}))
`;

const key = (sql: Queryable) => sql`(select key from opt_out_key)`;

const columns = (sql: Queryable) => sql`
	id, recipient, sender, source, created_at as "createdAt"
`;

export interface InsertedOptOut extends OptOutRow {
	/** False where the number was listed already, by WhatsApp alone. */
	readonly isNew: boolean;
}

/**
 * Returns those that nobody but WhatsApp had listed. An entry of WhatsApp's alone becomes that of who lists the number
 * too: it no longer ends with the user's word on WhatsApp.
 * @param optOuts each number and sender once
 */
export async function insertOptOuts(
	sql: Tx,
	organizationId: string,
	source: OptOutSource,
	optOuts: readonly NewOptOut[],
): Promise<InsertedOptOut[]> {
	// In one order, so that two who add the same numbers do not wait for each other.
	const rows = await sql<OptOutRow[]>`
		insert into opt_outs (id, organization_id, recipient_hash, recipient, sender, source)
		select id, ${organizationId}, hash, recipient, sender, ${source}
		from ${unnest(sql, optOuts, { id: "uuid", recipient: "text", sender: "text" })}
		cross join lateral ${hashOf(sql, sql`given.recipient`)} as hash
		order by hash, sender
		on conflict (recipient_hash, organization_id, sender) do update
		set source = excluded.source
		where opt_outs.source = 'whatsapp'
		and excluded.source <> 'whatsapp'
		returning ${columns(sql)}
	`;
	const given = new Set(optOuts.map(({ id }) => id));
	return rows.map((row) => ({ ...row, isNew: given.has(row.id) }));
}

/** What is listed of a number for exactly this sender, which is empty for all. */
export async function findOptOut(
	sql: Queryable,
	organizationId: string,
	{ recipient, sender }: Pick<OptOutRow, "recipient" | "sender">,
): Promise<OptOutRow | undefined> {
	const [row] = await sql<OptOutRow[]>`
		select ${columns(sql)}
		from opt_outs
		where organization_id = ${organizationId}
		and recipient_hash = ${hashOf(sql, sql`${recipient}`)}
		and sender = ${sender}
	`;
	return row;
}

interface OptOutPage {
	readonly limit: number;
	readonly after: RowKey | undefined;
	/** Undefined for all. */
	readonly recipient?: string | undefined;
}

/** Newest first. */
export async function findOptOuts(
	sql: Queryable,
	organizationId: string,
	{ limit, after, recipient }: OptOutPage,
): Promise<OptOutRow[]> {
	return sql<OptOutRow[]>`
		select ${columns(sql)}
		from opt_outs
		where organization_id = ${organizationId}
		${recipient === undefined ? sql`` : sql`and recipient_hash = ${hashOf(sql, sql`${recipient}`)}`}
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit}
	`;
}

/** Returns undefined when the organization has none of that id. */
export async function deleteOptOut(
	sql: Tx,
	organizationId: string,
	id: string,
): Promise<OptOutRow | undefined> {
	const [row] = await sql<OptOutRow[]>`
		delete from opt_outs
		where organization_id = ${organizationId}
		and id = ${id}
		returning ${columns(sql)}
	`;
	return row;
}

/** Lifts what keeps a sender from a number, for all senders included; returns how many entries that were. */
export async function liftOptOuts(
	sql: Tx,
	organizationId: string,
	{ recipient, sender }: Pick<OptOutRow, "recipient" | "sender">,
): Promise<number> {
	const { count } = await sql`
		delete from opt_outs
		where organization_id = ${organizationId}
		and recipient_hash = ${hashOf(sql, sql`${recipient}`)}
		and ${isOfSender(sql, sql`${sender}`)}
	`;
	return count;
}

/** Lifts what WhatsApp alone has listed, for the sender or for all. */
export async function liftWhatsAppOptOuts(
	sql: Tx,
	organizationId: string,
	{ recipient, sender }: Pick<OptOutRow, "recipient" | "sender">,
): Promise<void> {
	await sql`
		delete from opt_outs
		where organization_id = ${organizationId}
		and recipient_hash = ${hashOf(sql, sql`${recipient}`)}
		and ${isOfSender(sql, sql`${sender}`)}
		and source = 'whatsapp'
	`;
}

/** A message of this class is sent to who has opted out, where the organization is allowed that. */
export const ONE_TIME_PASSWORD = "one_time_password";
/** A response to a word is sent to who has opted out. */
export const OPT_OUT_REPLY = "opt_out_reply";
/** How the idempotency keys of those begin. No key that a client may choose has a slash. */
export const REPLY_KEYS = "opt-out/";

/** A message that is about to be accepted, or sent. */
export interface Addressed {
	readonly organizationId: string;
	readonly recipient: string;
	readonly sender: string;
	/** Null or empty for an ordinary message. */
	readonly messageClass: string | null;
}

/** Which of the messages their recipients do not want, by their places in the list. */
export async function findOptedOut(
	sql: Queryable,
	messages: readonly Addressed[],
): Promise<ReadonlySet<number>> {
	if (messages.length === 0) return new Set();
	const rows = await sql<{ nth: number }[]>`
		select nth::int as nth
		from ${unnest(
			sql,
			messages,
			{
				organizationId: "uuid",
				recipient: "text",
				sender: "text",
				messageClass: "text",
			},
			{ ordinal: "nth" },
		)}
		cross join lateral (
			select
			from opt_outs
			where opt_outs.recipient_hash = ${hashOf(sql, sql`given.recipient`)}
			and opt_outs.organization_id = given.organization_id
			and ${isOfSender(sql, sql`given.sender`)}
			limit 1
		) as listed
		where message_class is distinct from ${OPT_OUT_REPLY}
		and not (
			message_class is not distinct from ${ONE_TIME_PASSWORD}
			and exists (
				select
				from opt_out_settings
				where opt_out_settings.organization_id = given.organization_id
				and exempts_one_time_passwords
			)
		)
	`;
	return new Set(rows.map(({ nth }) => nth - 1));
}

/** An entry outlives its number: what was erased is not sent to again. */
export const erasableOptOuts: ErasableTable = foundTable(
	"opt_outs",
	async (sql, { phone, organizationId }, limit) => {
		const { count } = await sql`
			update opt_outs
			set recipient = ''
			where id = any(array(
				select id
				from opt_outs
				where recipient <> ''
				${phone === undefined ? sql`` : sql`and recipient_hash = ${hashOf(sql, sql`${phone}`)}`}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
				limit ${limit}
			))
		`;
		return count;
	},
);
