import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteRecipientImports } from "./recipient-imports.ts";

/**
 * An ended campaign whose text and names are kept beyond the time of its organization, the oldest first. One that was
 * cancelled needs both as long as it asks to whom its left batches were sent: those messages are found by their texts.
 */
export async function findOverdueNames(
	sql: Queryable,
	days: number,
): Promise<string | undefined> {
	const [row] = await sql<{ id: string }[]>`
		select id
		from campaigns
		left join retention using (organization_id)
		where kept = 'names'
		and completed_at < now() - interval '1 day' * (
			select least(${days}::integer, min(body_days)) from retention
		)
		and completed_at < now() - interval '1 day' * coalesce(body_days, ${days}::integer)
		and not exists (
			select
			from sent_batches
			where campaign_id = campaigns.id
		)
		order by completed_at
		limit 1
	`;
	return row?.id;
}

/** The same for their numbers. */
export async function findOverdueNumbers(
	sql: Queryable,
	months: number,
): Promise<string | undefined> {
	const [row] = await sql<{ id: string }[]>`
		select id
		from campaigns
		where kept in ('names', 'numbers')
		and completed_at < now() - interval '1 month' * ${months}::integer
		order by completed_at
		limit 1
	`;
	return row?.id;
}

/** Blanks the names of the next recipients in the order of their numbers; returns the last one's, none at the end. */
export async function blankNames(
	sql: Tx,
	campaignId: string,
	after: string,
	limit: number,
): Promise<string | undefined> {
	const [row] = await sql<[{ last: string | null }]>`
		with page as materialized (
			select phone, name
			from recipients
			where campaign_id = ${campaignId}
			and phone > ${after}
			order by phone
			limit ${limit}
			for update
		),
		blanked as (
			update recipients
			set name = ''
			where campaign_id = ${campaignId}
			and phone = any(array(select phone from page where name <> ''))
		)
		select max(phone) as last
		from page
	`;
	return row.last ?? undefined;
}

/** Deletes the next recipients, duplicates, and numbers that never became any; true when all are gone. */
export async function deleteRecipients(
	sql: Tx,
	campaignId: string,
	limit: number,
): Promise<boolean> {
	await deleteRecipientImports(sql, campaignId);
	const recipients = await sql`
		delete from recipients
		where campaign_id = ${campaignId}
		and phone = any(array(
			select phone
			from recipients
			where campaign_id = ${campaignId}
			order by phone
			limit ${limit}
			for update
		))
	`;
	const duplicates = await sql`
		delete from recipient_duplicates
		where campaign_id = ${campaignId}
		and phone = any(array(
			select phone
			from recipient_duplicates
			where campaign_id = ${campaignId}
			order by phone
			limit ${limit}
			for update
		))
	`;
	return recipients.count < limit && duplicates.count < limit;
}

/** What is no longer kept of the recipients goes with the campaign's text, which may be the whole of a message. */
export async function markKept(
	sql: Queryable,
	campaignId: string,
	kept: "numbers" | "counts",
): Promise<void> {
	await sql`
		update campaigns
		set kept = ${kept}, message_template = ''
		where id = ${campaignId}
	`;
}
