import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import type { RowKey } from "@airtower/platform/database/page";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type postgres from "postgres";
import type {
	InboundText,
	StoredInboundText,
} from "../../domain/inbound/inbound-text.ts";
import { type IdPage, isInRange, MOST_LOOKED_AT } from "../listed-messages.ts";

const TEXT = {
	id: "uuid",
	organizationId: "uuid",
	route: "text",
	sender: "text",
	recipient: "text",
	body: "text",
	encoding: "text",
	keyword: "text",
	partCount: "smallint",
	isComplete: "boolean",
} as const;

/** A text, and when the last part that it holds came in; null for now. */
export interface NewInboundText extends InboundText {
	readonly receivedAt: Date | null;
}

/** Returns them as they are stored. */
export async function insertInboundTexts(
	sql: Tx,
	texts: readonly NewInboundText[],
): Promise<StoredInboundText[]> {
	return sql<StoredInboundText[]>`
		insert into inbound_messages (${toColumnList(sql, TEXT)}, received_at)
		select ${toColumnList(sql, TEXT)}, coalesce(received_at, now())
		from ${unnest(sql, texts, { ...TEXT, receivedAt: "timestamptz" })}
		returning ${columns(sql)}
	`;
}

const columns = (sql: Queryable) => sql`
	id,
	organization_id as "organizationId",
	route,
	sender,
	recipient,
	body,
	encoding,
	keyword,
	part_count as "partCount",
	is_complete as "isComplete",
	received_at as "receivedAt"
`;

/** Empty or absent where nothing is asked for. */
export interface InboundFilters {
	readonly senders: readonly string[];
	readonly recipients: readonly string[];
	readonly keyword: string;
	readonly from: Date | undefined;
	readonly to: Date | undefined;
}

interface InboundPage extends IdPage {
	readonly filters: InboundFilters;
}

/** Newest first. May bring fewer than `limit` before the last page: then it goes on after the end of its look. */
export async function findInboundTexts(
	sql: Queryable,
	organizationId: string,
	page: InboundPage,
): Promise<StoredInboundText[]> {
	const { filters, limit } = page;
	const { from, to } = filters;
	return sql<StoredInboundText[]>`
		select ${columns(sql)}
		from (
			select *
			from inbound_messages
			where ${isInRange(sql, organizationId, page)}
			order by id desc
			limit ${2 * MOST_LOOKED_AT}
		) as looked_at
		where ${isAmong(sql, sql`sender`, filters.senders)}
		and ${isAmong(sql, sql`recipient`, filters.recipients)}
		and ${filters.keyword} in ('', keyword)
		${from === undefined ? sql`` : sql`and received_at >= ${from}`}
		${to === undefined ? sql`` : sql`and received_at < ${to}`}
		order by id desc
		limit ${limit}
	`;
}

function isAmong(
	sql: Queryable,
	column: postgres.Fragment,
	values: readonly string[],
) {
	return values.length === 0
		? sql`true`
		: sql`${column} = any(${[...values]}::text[])`;
}

/** The last text that a page with filters is to look through; undefined when that is all there are. */
export async function findLastInbound(
	sql: Queryable,
	organizationId: string,
	page: InboundPage,
): Promise<RowKey | undefined> {
	const [row] = await sql<RowKey[]>`
		select id, received_at as "createdAt"
		from inbound_messages
		where ${isInRange(sql, organizationId, page)}
		order by id desc
		offset ${MOST_LOOKED_AT - 1}
		limit 1
	`;
	return row;
}

/** Texts to numbers that nobody has, newest first. */
export async function findUnownedTexts(
	sql: Queryable,
	limit: number,
): Promise<StoredInboundText[]> {
	const find = (sql: Tx) => sql<StoredInboundText[]>`
		select ${columns(sql)}
		from inbound_messages
		where organization_id is null
		order by organization_id desc, id desc
		limit ${limit}
	`;
	return byIndex(sql, find);
}

/** Deletes texts of before a moment; returns how many. */
export function deleteInboundBefore(
	sql: Queryable,
	moment: Date,
	limit: number,
): Promise<number> {
	const isOld = sql`id < ${firstIdAt(moment)}`;
	return deleteBatch(sql, "inbound_messages", isOld, limit);
}
