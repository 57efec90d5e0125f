import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { CampaignProgress } from "../domain/campaign-state.ts";

export interface PendingRecipient {
	readonly phone: string;
	readonly name: string;
	/** Place in the snapshot, from 1. */
	readonly sequence: number;
}

export interface RecipientResult {
	readonly phone: string;
	readonly state: "skipped" | "accepted" | "delivered" | "failed";
	readonly messageId?: string;
	/** Why it was skipped or failed. */
	readonly reason?: string;
}

type ResultCounts = Omit<CampaignProgress, "audience" | "duplicates">;

/** The next recipients after this sequence that no batch was sent to, in the order of the snapshot. */
export async function findUnsentRecipients(
	sql: Queryable,
	campaignId: string,
	{ after, limit }: { after: number; limit: number },
): Promise<PendingRecipient[]> {
	return byIndex(
		sql,
		(sql) => sql<PendingRecipient[]>`
			select phone, name, sequence
			from recipients
			where campaign_id = ${campaignId}
			and state = 'pending'
			and sequence > ${after}
			and sequence not in (
				select unnest(sequences)
				from sent_batches
				where campaign_id = ${campaignId}
			)
			order by sequence
			limit ${limit}
		`,
		{ maySort: false },
	);
}

/** Whether somebody has no result yet, sent to or not. */
export async function hasPendingRecipients(
	sql: Queryable,
	campaignId: string,
): Promise<boolean> {
	const pending = await sql`
		select
		from recipients
		where campaign_id = ${campaignId}
		and state = 'pending'
		order by sequence
		limit 1
	`;
	return pending.length > 0;
}

/**
 * Stores results, one a phone; a recipient that has its outcome keeps it, and who was sent to as the campaign was
 * cancelled counts all the same. Values are looked up in an object, one parameter: joined
 * to a list, or told that the state is "pending", the planner may read the whole campaign.
 */
export async function applyResults(
	sql: Tx,
	campaignId: string,
	results: readonly RecipientResult[],
): Promise<ResultCounts> {
	const byPhone = Object.fromEntries(
		results.map((result) => [result.phone, { ...result }]),
	);
	const result = sql`(given.by_phone -> phone)`;
	const isUnsent = sql`(state = 'pending' or state = 'skipped' and reason = 'cancelled')`;
	const [counts] = await sql<[ResultCounts]>`
		with changed as (
			update recipients
			set
				state = ${result} ->> 'state',
				message_id = (${result} ->> 'messageId')::uuid,
				reason = ${result} ->> 'reason'
			from (select ${sql.json(byPhone)}::jsonb as by_phone) as given
			where campaign_id = ${campaignId}
			and phone = any(${Object.keys(byPhone)}::text[])
			and case ${result} ->> 'state'
				when 'skipped' then state = 'pending'
				when 'accepted' then ${isUnsent}
				else ${isUnsent} or state = 'accepted'
			end
			returning old.state as before, new.state
		)
		select
			count(*) filter (where state = 'skipped') - count(*) filter (where before = 'skipped') as skipped,
			count(*) filter (where before in ('pending', 'skipped') and state <> 'skipped') as accepted,
			count(*) filter (where state = 'delivered') as delivered,
			count(*) filter (where state = 'failed') as failed
		from changed
	`;
	return counts;
}

/** Skips up to `limit` pending recipients that nobody has locked; returns how many. */
export async function skipPending(
	sql: Tx,
	campaignId: string,
	reason: string,
	limit: number,
): Promise<number> {
	const rows = await sql`
		update recipients
		set state = 'skipped', reason = ${reason}
		where campaign_id = ${campaignId}
		and phone = any(array(
			select phone
			from recipients
			where campaign_id = ${campaignId}
			and state = 'pending'
			order by sequence
			limit ${limit}
			for update skip locked
		))
	`;
	return rows.count;
}
