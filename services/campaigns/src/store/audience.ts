import type { Queryable, Tx } from "@airtower/platform/database/database";

/** Highest contact id now: contacts created later are not in the audience. */
export async function findLastContactId(sql: Queryable): Promise<number> {
	const [row] = await sql<[{ last: number }]>`
		select coalesce(max(id), 0) as last
		from contacts
	`;
	return row.last;
}

interface AudienceRange {
	readonly organizationId: string;
	readonly tags: readonly string[];
	readonly matchMode: "all" | "any";
	readonly after: number;
	readonly until: number;
	readonly limit: number;
}

/** `last` is the last contact looked at, null when none was left. */
export async function snapshotContacts(
	sql: Tx,
	campaignId: string,
	range: AudienceRange,
): Promise<{ inserted: number; last: number | null }> {
	const [step] = await sql<[{ inserted: number; last: number | null }]>`
		with candidates as (${candidatesOf(sql, range)}), inserted as (
			insert into recipients (campaign_id, phone, name)
			select ${campaignId}, contacts.phone, contacts.name
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
	return step;
}

export interface AudienceContact {
	readonly phone: string;
	readonly name: string;
}

/** Whom `snapshotContacts` would take; `last` means the same. */
export async function findAudienceContacts(
	sql: Queryable,
	range: AudienceRange,
): Promise<{ contacts: AudienceContact[]; last: number | null }> {
	const rows = await sql<
		{ id: number; phone: string | null; name: string | null }[]
	>`
		with candidates as (${candidatesOf(sql, range)})
		select contact_id as id, phone, name
		from candidates
		left join contacts on matches and contacts.id = contact_id
		order by contact_id
	`;
	const contacts = rows.flatMap(({ phone, name }) =>
		phone === null || name === null ? [] : [{ phone, name }],
	);
	return { contacts, last: rows.at(-1)?.id ?? null };
}

/** Contacts that may be in the audience, and whether they are. */
function candidatesOf(sql: Queryable, range: AudienceRange) {
	return range.matchMode === "all"
		? firstTagCandidates(sql, range)
		: anyTagCandidates(sql, range);
}

/** Contacts of the first tag; they match with the other tags too. */
function firstTagCandidates(sql: Queryable, range: AudienceRange) {
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
function anyTagCandidates(sql: Queryable, range: AudienceRange) {
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
		) as of_tag
		order by contact_id
		limit ${range.limit}
	`;
}

/** Returns those that were not there before. */
export async function insertRecipients(
	sql: Tx,
	campaignId: string,
	phones: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ phone: string }[]>`
		insert into recipients (campaign_id, phone)
		select ${campaignId}, phone
		from unnest(${phones}::text[]) with ordinality as given (phone, index)
		order by index
		on conflict do nothing
		returning phone
	`;
	return rows.map(({ phone }) => phone);
}

/** Returns those that were not there before. */
export async function insertInvalidRecipients(
	sql: Tx,
	campaignId: string,
	given: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ phone: string }[]>`
		insert into recipients (campaign_id, phone, state, reason)
		select ${campaignId}, phone, 'skipped', 'invalid_phone_number'
		from unnest(${given}::text[]) as given (phone)
		on conflict do nothing
		returning phone
	`;
	return rows.map(({ phone }) => phone);
}

/** One for each time that a recipient was given again. */
export async function insertDuplicates(
	sql: Tx,
	campaignId: string,
	phones: readonly string[],
): Promise<void> {
	if (phones.length === 0) return;
	await sql`
		insert into recipient_duplicates (campaign_id, phone)
		select ${campaignId}, phone
		from unnest(${phones}::text[]) as given (phone)
	`;
}
