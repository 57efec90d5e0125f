import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";
import { firstIdAt, LOWEST_ID } from "@airtower/platform/runtime/ids";
import { type ShownMessage, shownColumns } from "./shown-messages.ts";

/** Empty or absent where nothing is asked for. */
export interface MessageFilters {
	readonly status: string;
	readonly recipient: string;
	readonly campaignId: string;
	readonly clientReference: string;
	readonly from: Date | undefined;
	readonly to: Date | undefined;
}

/** What a page of rows may be, whose ids begin with their time. */
export interface IdPage {
	readonly filters: Pick<MessageFilters, "from" | "to">;
	/** Id of the message after which the page begins. */
	readonly after: string | undefined;
	/** Id of the last row that is looked through; absent for all. */
	readonly end?: string | undefined;
	readonly limit: number;
}

interface MessagePage extends IdPage {
	readonly filters: MessageFilters;
}

/** What one page looks through: those that a filter asks for may be rare. */
export const MOST_LOOKED_AT = 10_000;
/** How far the time in an id and that of the acceptance may be apart: they are of two clocks. */
const CLOCKS_APART_MS = 3_600_000;
const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Newest first. May bring fewer than `limit` before the last page: then it goes on after the end of its look. */
export async function findMessages(
	sql: Queryable,
	organizationId: string,
	page: MessagePage,
): Promise<ShownMessage[]> {
	const { filters, limit } = page;
	const { from, to } = filters;
	return sql<ShownMessage[]>`
		select *
		from (
			select ${shownColumns(sql)}
			from (
				select *
				from messages
				where ${isInRange(sql, organizationId, page)}
				order by id desc
				limit ${2 * MOST_LOOKED_AT}
			) as messages
			left join lateral (
				select *
				from dispatch
				where message_id = messages.id
				limit 1
			) as dispatch on true
		) as looked_at
		where ${filters.status} in ('', status)
		and ${filters.recipient} in ('', recipient)
		and ${filters.campaignId} in ('', coalesce("campaignId"::text, ' '))
		and ${filters.clientReference} in ('', coalesce("clientReference", ' '))
		${from === undefined ? sql`` : sql`and "createdAt" >= ${from}`}
		${to === undefined ? sql`` : sql`and "createdAt" < ${to}`}
		order by id desc
		limit ${limit}
	`;
}

/**
 * The last message that a page with filters is to look through; undefined when that is all there are. Messages that are
 * accepted before the page is read move nothing: what is behind this one is the next page's.
 */
export async function findLastLookedAt(
	sql: Queryable,
	organizationId: string,
	page: MessagePage,
): Promise<RowKey | undefined> {
	const [row] = await sql<{ id: string; createdAt: Date }[]>`
		select id, accepted_at as "createdAt"
		from messages
		where ${isInRange(sql, organizationId, page)}
		order by id desc
		offset ${MOST_LOOKED_AT - 1}
		limit 1
	`;
	return row;
}

/** Ids begin with their time: a range of them is read by the index, and in few partitions. */
export function isInRange(
	sql: Queryable,
	organizationId: string,
	{ filters: { from, to }, after = HIGHEST_ID, end: last = LOWEST_ID }: IdPage,
) {
	const first = from === undefined ? LOWEST_ID : idNear(from, -CLOCKS_APART_MS);
	const end = to === undefined ? HIGHEST_ID : idNear(to, CLOCKS_APART_MS);
	return sql`
		organization_id = ${organizationId}
		and id >= ${last > first ? last : first}
		and id < ${after < end ? after : end}
	`;
}

function idNear(time: Date, apartMs: number): string {
	return firstIdAt(new Date(Math.max(0, time.getTime() + apartMs)));
}
