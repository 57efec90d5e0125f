import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { MessageOfOrganization } from "./ledger-entries.ts";
import type { Page } from "./page.ts";

export interface UndebitedMessageRow extends MessageOfOrganization {
	readonly id: string;
	readonly reason: "never_debited" | "given_back";
	readonly createdAt: Date;
}

/** Keeps those of the messages that have no debit, or one that was given back; returns how many are new. */
export async function insertUndebited(
	sql: Tx,
	messages: readonly MessageOfOrganization[],
): Promise<number> {
	const found = await sql`
		insert into undebited_messages (message_id, organization_id, reason)
		select
			given.message_id,
			given.organization_id,
			case when entry.has_usage then 'given_back' else 'never_debited' end
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
		on conflict do nothing
	`;
	return found.count;
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
