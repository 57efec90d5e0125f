import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	type ErasableTable,
	foundTable,
} from "@airtower/platform/privacy/erasable-table";
import type { WordFamily } from "../../domain/opt-outs/opt-out-words.ts";

interface NewReply {
	readonly id: string;
	readonly recipient: string;
	/** The number that the word was sent to, as senders are written. */
	readonly sender: string;
	readonly family: WordFamily;
	readonly body: string;
	/** Whether it goes to a number that has opted out. */
	readonly exempt: boolean;
}

export interface ReplyRow extends NewReply {
	readonly organizationId: string;
	/** Since the word came, by the database's clock, ms. */
	readonly ageMs: number;
}

/** Changes nothing while the same response to the number waits. */
export async function insertReply(
	sql: Tx,
	organizationId: string,
	reply: NewReply,
): Promise<void> {
	await sql`
		insert into opt_out_replies (id, organization_id, recipient, sender, family, body, exempt)
		values (
			${reply.id},
			${organizationId},
			${reply.recipient},
			${reply.sender},
			${reply.family},
			${reply.body},
			${reply.exempt}
		)
		on conflict do nothing
	`;
}

/** What waits for a number and says what does not hold any more. */
export async function dropReplies(
	sql: Tx,
	organizationId: string,
	recipient: string,
	families: readonly WordFamily[],
): Promise<void> {
	await sql`
		delete from opt_out_replies
		where organization_id = ${organizationId}
		and recipient = ${recipient}
		and family = any(${[...families]})
	`;
}

/** The oldest first. */
export async function findDueReplies(
	sql: Queryable,
	limit: number,
): Promise<ReplyRow[]> {
	return byIndex(
		sql,
		(sql) => sql<ReplyRow[]>`
		select
			id,
			organization_id as "organizationId",
			recipient,
			sender,
			family,
			body,
			exempt,
			extract(epoch from now() - created_at)::float8 * 1000 as "ageMs"
		from opt_out_replies
		where due_at <= now()
		order by due_at
		limit ${limit}
	`,
	);
}

export interface Addressee {
	readonly organizationId: string;
	readonly recipient: string;
}

/** Those of the numbers that a process may be sending a message of the organization to at this moment. */
export async function findBeingSentTo(
	sql: Queryable,
	numbers: readonly Addressee[],
): Promise<Addressee[]> {
	return sql<Addressee[]>`
		select distinct
			messages.organization_id as "organizationId",
			messages.recipient
		from dispatch
		join messages on messages.id = message_id
		where token is not null
		and (messages.organization_id, messages.recipient) in (
			select organization_id, recipient
			from ${unnest(sql, numbers, { organizationId: "uuid", recipient: "text" })}
		)
	`;
}

export async function deleteReplies(
	sql: Queryable,
	ids: readonly string[],
): Promise<void> {
	await sql`
		delete from opt_out_replies
		where id = any(${[...ids]}::uuid[])
	`;
}

export async function postponeReplies(
	sql: Queryable,
	replies: readonly { readonly id: string; readonly delayMs: number }[],
): Promise<void> {
	await sql`
		update opt_out_replies
		set due_at = now() + given.delay_ms * interval '1 millisecond'
		from ${unnest(sql, replies, { id: "uuid", delayMs: "float8" })}
		where opt_out_replies.id = given.id
	`;
}

export const erasableReplies: ErasableTable = foundTable(
	"opt_out_replies",
	async (sql, { phone, organizationId }, limit) => {
		const { count } = await sql`
			delete from opt_out_replies
			where id = any(array(
				select id
				from opt_out_replies
				where true
				${phone === undefined ? sql`` : sql`and recipient = ${phone}`}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
				limit ${limit}
			))
		`;
		return count;
	},
);
