import type { Queryable } from "@airtower/platform/database/database";

export interface Recipient {
	readonly phone: string;
	readonly name: string;
	readonly status: string;
	readonly reason: string | null;
	readonly messageId: string | null;
}

export interface RecipientPage {
	readonly rows: readonly Recipient[];
	/** Phone after which the next page begins; undefined on the last one. */
	readonly next: string | undefined;
}

interface Wanted {
	/** Empty for all. */
	readonly status: string;
	readonly after: string;
	readonly limit: number;
}

/** Recipients looked at for one page: those of a status may be rare, and only the rarest have an index. */
const MOST_LOOKED_AT = 10_000;
const INDEXED: ReadonlySet<string> = new Set(["skipped", "failed"]);

/** One page by phone; it may be short, and yet not be the last. */
export async function findRecipients(
	sql: Queryable,
	campaignId: string,
	wanted: Wanted,
): Promise<RecipientPage> {
	const { limit } = wanted;
	const found = INDEXED.has(wanted.status)
		? await findIndexed(sql, campaignId, wanted)
		: await lookThrough(sql, campaignId, wanted);
	const rows = found.slice(0, limit);
	if (found.length > limit) return { rows, next: rows.at(-1)?.phone };
	if (INDEXED.has(wanted.status)) return { rows, next: undefined };
	return { rows, next: await findLastLookedAt(sql, campaignId, wanted.after) };
}

async function findIndexed(
	sql: Queryable,
	campaignId: string,
	{ status, after, limit }: Wanted,
): Promise<Recipient[]> {
	return sql<Recipient[]>`
		select ${columns(sql)}
		from recipients
		where campaign_id = ${campaignId}
		and state = ${status}
		and phone > ${after}
		order by phone
		limit ${limit + 1}
	`;
}

async function lookThrough(
	sql: Queryable,
	campaignId: string,
	{ status, after, limit }: Wanted,
): Promise<Recipient[]> {
	return sql<Recipient[]>`
		select *
		from (
			select ${columns(sql)}
			from recipients
			where campaign_id = ${campaignId}
			and phone > ${after}
			order by phone
			limit ${MOST_LOOKED_AT}
		) as looked_at
		where ${status} in ('', status)
		order by phone
		limit ${limit + 1}
	`;
}

/** Undefined when all the rest was looked at. */
async function findLastLookedAt(
	sql: Queryable,
	campaignId: string,
	after: string,
): Promise<string | undefined> {
	const [row] = await sql<{ phone: string }[]>`
		select phone
		from recipients
		where campaign_id = ${campaignId}
		and phone > ${after}
		order by phone
		offset ${MOST_LOOKED_AT - 1}
		limit 1
	`;
	return row?.phone;
}

function columns(sql: Queryable) {
	return sql`phone, name, state as status, reason, message_id as "messageId"`;
}
