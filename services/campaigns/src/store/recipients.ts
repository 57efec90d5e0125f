import type { Queryable, Tx } from "@airtower/platform/database";

export interface PendingRecipient {
	readonly phone: string;
	readonly name: string;
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
	readonly campaignId: string;
	readonly phone: string;
	readonly messageId: string;
	readonly status: "delivered" | "failed";
	readonly reason: string;
}

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

/** Next recipients to send to, in the order of the snapshot. */
export async function listPendingRecipients(
	sql: Queryable,
	campaignId: string,
	limit: number,
): Promise<PendingRecipient[]> {
	return sql<PendingRecipient[]>`
		select phone, name
		from recipients
		where campaign_id = ${campaignId}
		and state = 'pending'
		order by sequence
		limit ${limit}
	`;
}

/** Marks pending recipients accepted; answers how many were pending. One whose outcome came first stays as it is. */
export async function markAccepted(
	sql: Tx,
	campaignId: string,
	accepted: readonly AcceptedRecipient[],
): Promise<number> {
	if (accepted.length === 0) return 0;
	const rows = await sql`
		update recipients
		set state = 'accepted', message_id = given.message_id
		from unnest(
			${accepted.map((recipient) => recipient.phone)}::text[],
			${accepted.map((recipient) => recipient.messageId)}::uuid[]
		) as given (phone, message_id)
		where recipients.campaign_id = ${campaignId}
		and recipients.phone = given.phone
		and recipients.state = 'pending'
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
	const rows = await sql`
		update recipients
		set state = 'skipped', reason = given.reason
		from unnest(
			${skipped.map((recipient) => recipient.phone)}::text[],
			${skipped.map((recipient) => recipient.reason)}::text[]
		) as given (phone, reason)
		where recipients.campaign_id = ${campaignId}
		and recipients.phone = given.phone
		and recipients.state = 'pending'
	`;
	return rows.count;
}

export interface OutcomeCounts {
	readonly campaignId: string;
	/** Recipients that had been pending: their outcome came before the stager noted the acceptance. */
	readonly accepted: number;
	readonly delivered: number;
	readonly failed: number;
}

/** Applies final outcomes to recipients that have none; answers the changes by campaign, in id order. */
export async function applyOutcomes(
	sql: Tx,
	outcomes: readonly OutcomeRow[],
): Promise<OutcomeCounts[]> {
	return sql<OutcomeCounts[]>`
		with given as (
			select *
			from unnest(
				${outcomes.map((outcome) => outcome.campaignId)}::uuid[],
				${outcomes.map((outcome) => outcome.phone)}::text[],
				${outcomes.map((outcome) => outcome.messageId)}::uuid[],
				${outcomes.map((outcome) => outcome.status)}::text[],
				${outcomes.map((outcome) => outcome.reason)}::text[]
			) as given (campaign_id, phone, message_id, status, reason)
		), open as (
			select recipients.campaign_id, recipients.phone, recipients.state
			from recipients
			join given using (campaign_id, phone)
			where recipients.state in ('pending', 'accepted')
			order by recipients.campaign_id, recipients.phone
			for update of recipients
		), changed as (
			update recipients
			set
				state = given.status,
				message_id = given.message_id,
				reason = nullif(given.reason, '')
			from given
			join open using (campaign_id, phone)
			where recipients.campaign_id = given.campaign_id
			and recipients.phone = given.phone
			returning recipients.campaign_id, recipients.state, open.state as before
		)
		select
			campaign_id as "campaignId",
			count(*) filter (where before = 'pending') as accepted,
			count(*) filter (where state = 'delivered') as delivered,
			count(*) filter (where state = 'failed') as failed
		from changed
		group by campaign_id
		order by campaign_id
	`;
}
