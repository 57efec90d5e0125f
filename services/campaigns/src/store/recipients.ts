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

export interface SnapshotStep {
	/** Rows added. */
	readonly inserted: number;
	/** Last contact looked at; undefined when none was left. */
	readonly last: number | undefined;
}

/** Highest contact id now: contacts created later are not in the audience. */
export async function lastContactId(sql: Queryable): Promise<number> {
	const [row] = await sql<{ last: number }[]>`
		select coalesce(max(id), 0) as last
		from contacts
	`;
	return row?.last ?? 0;
}

export interface SnapshotRange {
	readonly campaignId: string;
	readonly organizationId: string;
	readonly tags: readonly string[];
	readonly matchMode: "all" | "any";
	/** Contacts above this id. */
	readonly after: number;
	/** Contacts up to this id. */
	readonly until: number;
	readonly limit: number;
}

/** Copies the next contacts that carry all, or any, of the tags into the campaign. */
export async function snapshotContacts(
	sql: Tx,
	range: SnapshotRange,
): Promise<SnapshotStep> {
	const candidates =
		range.matchMode === "all"
			? firstTagCandidates(sql, range)
			: anyTagCandidates(sql, range);
	const [row] = await sql<{ inserted: number; last: number | null }[]>`
		with candidates as (${candidates}), inserted as (
			insert into recipients (campaign_id, phone, name)
			select ${range.campaignId}, contacts.phone, contacts.name
			from candidates
			join contacts on contacts.id = candidates.contact_id
			where candidates.matches
			order by candidates.contact_id
			on conflict do nothing
			returning 1
		)
		select
			(select count(*) from inserted) as inserted,
			(select max(contact_id) from candidates) as last
	`;
	return { inserted: row?.inserted ?? 0, last: row?.last ?? undefined };
}

/** A stretch of the first tag's contacts; each matches when it carries the other tags too. */
function firstTagCandidates(sql: Tx, range: SnapshotRange) {
	const [first = "", ...others] = range.tags;
	return sql`
		select contact_id, (
			select count(*) = ${others.length}
			from contact_tags as other
			where other.organization_id = ${range.organizationId}
			and other.tag = any(${others}::text[])
			and other.contact_id = driving.contact_id
		) as matches
		from (
			select contact_id
			from contact_tags
			where organization_id = ${range.organizationId}
			and tag = ${first}
			and contact_id > ${range.after}
			and contact_id <= ${range.until}
			order by contact_id
			limit ${range.limit}
		) as driving
	`;
}

/** The first contacts of all tags together are among the first of each. */
function anyTagCandidates(sql: Tx, range: SnapshotRange) {
	return sql`
		select distinct contact_id, true as matches
		from unnest(${range.tags}::text[]) as wanted (tag)
		cross join lateral (
			select contact_id
			from contact_tags
			where organization_id = ${range.organizationId}
			and contact_tags.tag = wanted.tag
			and contact_id > ${range.after}
			and contact_id <= ${range.until}
			order by contact_id
			limit ${range.limit}
		) as stretch
		order by contact_id
		limit ${range.limit}
	`;
}

/** Adds explicit recipients; numbers that are there already are not added. Answers how many were. */
export async function insertRecipients(
	sql: Tx,
	campaignId: string,
	phones: readonly string[],
): Promise<number> {
	const rows = await sql`
		insert into recipients (campaign_id, phone)
		select ${campaignId}, phone
		from unnest(${phones}::text[]) with ordinality as given (phone, place)
		order by place
		on conflict do nothing
	`;
	return rows.count;
}

/** Keeps recipients that cannot be sent to, with the reason; answers how many were new. */
export async function insertSkippedRecipients(
	sql: Tx,
	campaignId: string,
	given: readonly string[],
	reason: string,
): Promise<number> {
	const rows = await sql`
		insert into recipients (campaign_id, phone, state, reason)
		select ${campaignId}, phone, 'skipped', ${reason}
		from unnest(${given}::text[]) as given (phone)
		on conflict do nothing
	`;
	return rows.count;
}

/** Next recipients to send to behind this place, in the order of the snapshot. */
export async function listPendingRecipients(
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
 * object. Joined to a list, or told that the state is "pending", the planner may read the whole campaign.
 */

/** Marks pending recipients accepted; answers how many were pending. One whose outcome came first stays as it is. */
export async function markAccepted(
	sql: Tx,
	campaignId: string,
	accepted: readonly AcceptedRecipient[],
): Promise<number> {
	if (accepted.length === 0) return 0;
	const idOf = Object.fromEntries(
		accepted.map(({ phone, messageId }) => [phone, messageId]),
	);
	const rows = await sql`
		update recipients
		set
			state = 'accepted',
			message_id = (${sql.json(idOf)}::jsonb ->> phone)::uuid
		where campaign_id = ${campaignId}
		and phone = any(${Object.keys(idOf)}::text[])
		and state not in ${sql(STATES_AFTER_PENDING)}
	`;
	return rows.count;
}

/** Marks pending recipients skipped for good; answers how many were pending. */
export async function markSkipped(
	sql: Tx,
	campaignId: string,
	skipped: readonly SkippedRecipient[],
): Promise<number> {
	if (skipped.length === 0) return 0;
	const reasonOf = Object.fromEntries(
		skipped.map(({ phone, reason }) => [phone, reason]),
	);
	const rows = await sql`
		update recipients
		set
			state = 'skipped',
			reason = ${sql.json(reasonOf)}::jsonb ->> phone
		where campaign_id = ${campaignId}
		and phone = any(${Object.keys(reasonOf)}::text[])
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

/** Applies final outcomes, one a phone, to recipients that have none; answers what changed. */
export async function applyOutcomes(
	sql: Tx,
	campaignId: string,
	outcomes: readonly OutcomeRow[],
): Promise<OutcomeCounts> {
	const outcomeOf = Object.fromEntries(
		outcomes.map(({ phone, messageId, status, reason }) => [
			phone,
			{ messageId, status, reason },
		]),
	);
	const outcome = sql`(${sql.json(outcomeOf)}::jsonb -> phone)`;
	const [counts] = await sql<[OutcomeCounts]>`
		with changed as (
			update recipients
			set
				state = ${outcome} ->> 'status',
				message_id = (${outcome} ->> 'messageId')::uuid,
				reason = nullif(${outcome} ->> 'reason', '')
			where campaign_id = ${campaignId}
			and phone = any(${Object.keys(outcomeOf)}::text[])
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
