import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { MessageOfOrganization } from "./ledger-entries.ts";
import type { Page } from "./page.ts";

export interface NewUndebited extends MessageOfOrganization {
	readonly reason: "never_debited" | "given_back";
}

interface UndebitedMessageRow extends NewUndebited {
	readonly id: string;
	readonly createdAt: Date;
}

/** Those of the messages that have no debit, or one that was given back. */
export async function findUndebited(
	sql: Queryable,
	messages: readonly MessageOfOrganization[],
): Promise<NewUndebited[]> {
	return sql<NewUndebited[]>`
		select
			given.message_id as "messageId",
			given.organization_id as "organizationId",
			case when entry.has_usage then 'given_back' else 'never_debited' end as reason
		from ${unnest(sql, messages, { organizationId: "uuid", messageId: "uuid" })}
		cross join lateral (
			select
				coalesce(bool_or(kind = 'usage'), false) as has_usage,
				coalesce(sum(units), 0) as units
			from ledger_entries
			where ledger_entries.organization_id = given.organization_id
			and ledger_entries.message_id = given.message_id
		) as entry
		where entry.units >= 0
	`;
}

/** Keeps them until an admin settles them; returns how many are new. */
export async function insertUndebited(
	sql: Tx,
	messages: readonly NewUndebited[],
): Promise<number> {
	if (messages.length === 0) return 0;
	const inserted = await sql`
		insert into undebited_messages (message_id, organization_id, reason)
		select *
		from ${unnest(sql, messages, { messageId: "uuid", organizationId: "uuid", reason: "text" })}
		on conflict do nothing
	`;
	return inserted.count;
}

export async function countUndebited(sql: Queryable): Promise<number> {
	const [row] = await sql<[{ count: number }]>`
		select count(*) as count
		from undebited_messages
	`;
	return row.count;
}

/** One page, the last found first, and one more. */
export async function listUndebited(
	sql: Queryable,
	{ limit, after }: Page,
): Promise<UndebitedMessageRow[]> {
	return sql<UndebitedMessageRow[]>`
		select
			message_id as id,
			message_id as "messageId",
			organization_id as "organizationId",
			reason,
			found_at as "createdAt"
		from undebited_messages
		${after === undefined ? sql`` : sql`where (found_at, message_id) < (${after.createdAt}, ${after.id})`}
		order by found_at desc, message_id desc
		limit ${limit + 1}
	`;
}

/** Removes the oldest of an organization's; returns how many. */
export async function deleteUndebited(
	sql: Tx,
	organizationId: string,
	limit: number,
): Promise<number> {
	const deleted = await sql`
		delete from undebited_messages
		where message_id in (
			select message_id
			from undebited_messages
			where organization_id = ${organizationId}
			order by found_at, message_id
			limit ${limit}
			for update skip locked
		)
	`;
	return deleted.count;
}
