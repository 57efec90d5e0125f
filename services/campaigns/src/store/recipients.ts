import type { Queryable, Tx } from "@airtower/platform/database/database";

export interface PendingRecipient {
	readonly phone: string;
	readonly name: string;
	/** Place in the snapshot, from 1. */
	readonly sequence: number;
}

export interface AcceptedRecipient {
	readonly phone: string;
	readonly messageId: string;
}

export interface SkippedRecipient {
	readonly phone: string;
	readonly reason: string;
}

export interface OutcomeRow {
	readonly phone: string;
	readonly messageId: string;
	readonly status: "delivered" | "failed";
	readonly reason: string;
}

/** Every state but the first. */
const STATES_AFTER_PENDING = ["skipped", "accepted", "delivered", "failed"];

/** Next recipients to send to behind this place, in the order of the snapshot. */
export async function findPendingRecipients(
	sql: Queryable,
	campaignId: string,
	after: number,
	limit: number,
): Promise<PendingRecipient[]> {
	return sql<PendingRecipient[]>`
		select phone, name, sequence
		from recipients
		where campaign_id = ${campaignId}
		and state = 'pending'
		and sequence > ${after}
		order by sequence
		limit ${limit}
	`;
}

/*
 * The statements below find their recipients by the primary key alone and look each one's values up in an
 * object: joined to a list, or told that the state is "pending", the planner may read the whole campaign.
 */

/** Marks pending recipients accepted; returns how many were pending. One whose outcome came first stays as it is. */
export async function markAccepted(
	sql: Tx,
	campaignId: string,
	accepted: readonly AcceptedRecipient[],
): Promise<number> {
	if (accepted.length === 0) return 0;
	const messageIds = Object.fromEntries(
		accepted.map(({ phone, messageId }) => [phone, messageId]),
	);
	const rows = await sql`
		update recipients
		set
			state = 'accepted',
			message_id = (${sql.json(messageIds)}::jsonb ->> phone)::uuid
		where campaign_id = ${campaignId}
		and phone = any(${Object.keys(messageIds)}::text[])
		and state not in ${sql(STATES_AFTER_PENDING)}
	`;
	return rows.count;
}

/** Marks pending recipients skipped for good; returns how many were pending. */
export async function markSkipped(
	sql: Tx,
	campaignId: string,
	skipped: readonly SkippedRecipient[],
): Promise<number> {
	if (skipped.length === 0) return 0;
	const reasons = Object.fromEntries(
		skipped.map(({ phone, reason }) => [phone, reason]),
	);
	const rows = await sql`
		update recipients
		set
			state = 'skipped',
			reason = ${sql.json(reasons)}::jsonb ->> phone
		where campaign_id = ${campaignId}
		and phone = any(${Object.keys(reasons)}::text[])
		and state not in ${sql(STATES_AFTER_PENDING)}
	`;
	return rows.count;
}

export interface OutcomeCounts {
	/** Recipients that had been pending: their outcome came before the stager noted the acceptance. */
	readonly accepted: number;
	readonly delivered: number;
	readonly failed: number;
}

/** Applies final outcomes, one a phone, to recipients that have none; returns what changed. */
export async function applyOutcomes(
	sql: Tx,
	campaignId: string,
	outcomes: readonly OutcomeRow[],
): Promise<OutcomeCounts> {
	const byPhone = Object.fromEntries(
		outcomes.map(({ phone, messageId, status, reason }) => [
			phone,
			{ messageId, status, reason },
		]),
	);
	const outcome = sql`(${sql.json(byPhone)}::jsonb -> phone)`;
	const [counts] = await sql<[OutcomeCounts]>`
		with changed as (
			update recipients
			set
				state = ${outcome} ->> 'status',
				message_id = (${outcome} ->> 'messageId')::uuid,
				reason = nullif(${outcome} ->> 'reason', '')
			where campaign_id = ${campaignId}
			and phone = any(${Object.keys(byPhone)}::text[])
			and state in ('pending', 'accepted')
			returning old.state as before, new.state
		)
		select
			count(*) filter (where before = 'pending') as accepted,
			count(*) filter (where state = 'delivered') as delivered,
			count(*) filter (where state = 'failed') as failed
		from changed
	`;
	return counts;
}
