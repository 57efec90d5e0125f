import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";

/** Quota of a canceled message that is to be given back. */
export interface QuotaRelease {
	readonly messageId: string;
	readonly organizationId: string;
}

export async function insertRelease(
	sql: Tx,
	{ messageId, organizationId }: QuotaRelease,
): Promise<void> {
	await sql`
		insert into quota_releases (message_id, organization_id)
		values (${messageId}, ${organizationId})
	`;
}

/** Releases that have been due for so long, ms. */
export async function findReleases(
	sql: Queryable,
	ageMs: number,
	limit: number,
): Promise<QuotaRelease[]> {
	return byIndex(
		sql,
		(sql) => sql<QuotaRelease[]>`
		select message_id as "messageId", organization_id as "organizationId"
		from quota_releases
		where canceled_at <= now() - ${ageMs} * interval '1 millisecond'
		order by message_id
		limit ${limit}
	`,
	);
}

export async function deleteReleases(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<void> {
	await sql`
		delete from quota_releases
		where message_id = any(${[...messageIds]}::uuid[])
	`;
}
