import type { Queryable } from "@airtower/platform/database/database";

export interface Recipient {
	readonly phone: string;
	readonly name: string;
	readonly status: string;
	readonly reason: string | null;
	readonly messageId: string | null;
	/** 0 for a recipient; its duplicates follow it in this order. */
	readonly duplicate: number;
}

/** The last row of a page: the next one begins after it. */
export type RecipientKey = Pick<Recipient, "phone" | "duplicate">;

interface RecipientPage {
	readonly rows: readonly Recipient[];
	/** Undefined on the last page. */
	readonly next: RecipientKey | undefined;
}

interface Wanted {
	/** Empty for all. */
	readonly status: string;
	/** Undefined for the first page: a text that was given as a number may be empty. */
	readonly after: RecipientKey | undefined;
	readonly limit: number;
}

/** Recipients looked at for one page: those of a status may be rare, and only the rarest have an index. */
const MOST_LOOKED_AT = 10_000;

/** One page by phone; it may be short, and yet not be the last. */
export async function findRecipients(
	sql: Queryable,
	campaignId: string,
	wanted: Wanted,
): Promise<RecipientPage> {
	const { status, limit } = wanted;
	const found = await find(sql, campaignId, wanted);
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	if (found.length > limit && last !== undefined) {
		const { phone, duplicate } = last;
		return { rows, next: { phone, duplicate } };
	}
	if (status === "skipped" || status === "failed")
		return { rows, next: undefined };
	const phone = await findLastLookedAt(sql, campaignId, wanted.after);
	return { rows, next: phone === undefined ? phone : { phone, duplicate: 0 } };
}

function find(
	sql: Queryable,
	campaignId: string,
	wanted: Wanted,
): Promise<Recipient[]> {
	switch (wanted.status) {
		case "failed":
			return sql<Recipient[]>`${leftOut(sql, campaignId, wanted)}`;
		case "skipped":
			return withDuplicates(sql, campaignId, wanted, leftOut);
		case "":
			return withDuplicates(sql, campaignId, wanted, lookedAt);
		default:
			return sql<Recipient[]>`${lookedAt(sql, campaignId, wanted)}`;
	}
}

function leftOut(
	sql: Queryable,
	campaignId: string,
	{ status, after, limit }: Wanted,
) {
	return sql`
		select ${columns(sql)}
		from recipients
		where campaign_id = ${campaignId}
		and state = ${status}
		${isAfter(sql, after)}
		order by phone
		limit ${limit + 1}
	`;
}

function lookedAt(
	sql: Queryable,
	campaignId: string,
	{ status, after, limit }: Wanted,
) {
	return sql`
		select *
		from (
			select ${columns(sql)}
			from recipients
			where campaign_id = ${campaignId}
			${isAfter(sql, after)}
			order by phone
			limit ${MOST_LOOKED_AT}
		) as looked_at
		where ${status} in ('', status)
		order by phone
		limit ${limit + 1}
	`;
}

/** Each duplicate has the name and the message of the recipient that it repeats. */
async function withDuplicates(
	sql: Queryable,
	campaignId: string,
	wanted: Wanted,
	recipients: typeof leftOut,
): Promise<Recipient[]> {
	const { after, limit } = wanted;
	return sql<Recipient[]>`
		(${recipients(sql, campaignId, wanted)})
		union all
		select
			given.phone,
			coalesce(name, ''),
			'skipped',
			'duplicate',
			message_id,
			given.sequence
		from (
			select phone, sequence
			from recipient_duplicates
			where campaign_id = ${campaignId}
			${after === undefined ? sql`` : sql`and (phone, sequence) > (${after.phone}, ${after.duplicate})`}
			order by phone, sequence
			limit ${limit + 1}
		) as given
		left join lateral (
			select name, message_id
			from recipients
			where campaign_id = ${campaignId}
			and recipients.phone = given.phone
			limit 1
		) as repeated on true
		order by phone, duplicate
		limit ${limit + 1}
	`;
}

/** Undefined when all the rest was looked at. */
async function findLastLookedAt(
	sql: Queryable,
	campaignId: string,
	after: RecipientKey | undefined,
): Promise<string | undefined> {
	const [row] = await sql<{ phone: string }[]>`
		select phone
		from recipients
		where campaign_id = ${campaignId}
		${isAfter(sql, after)}
		order by phone
		offset ${MOST_LOOKED_AT - 1}
		limit 1
	`;
	return row?.phone;
}

function isAfter(sql: Queryable, after: RecipientKey | undefined) {
	return after === undefined ? sql`` : sql`and phone > ${after.phone}`;
}

function columns(sql: Queryable) {
	return sql`
		phone, name, state as status, reason, message_id as "messageId", 0::bigint as duplicate
	`;
}
