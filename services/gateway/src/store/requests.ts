import type { Queryable } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { isAfter, type RowKey } from "@airtower/platform/database/page";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import type { WaitingLine } from "../request-log.ts";

const LINE = {
	organizationId: "uuid",
	createdAt: "timestamptz",
	id: "uuid",
	requestId: "text",
	method: "text",
	route: "text",
	path: "text",
	status: "smallint",
	durationMs: "float8",
	apiKeyId: "uuid",
	apiKeyPrefix: "text",
	errorCode: "text",
	details: "jsonb",
	request: "jsonb",
	omitted: "integer",
} as const;

/** Stores lines; those that were stored before, when the response was lost, are left as they are. */
export async function insertRequests(
	sql: Queryable,
	lines: readonly WaitingLine[],
): Promise<void> {
	await sql`
		insert into requests (${toColumnList(sql, LINE)})
		select *
		from ${unnest(sql, lines, LINE)}
		on conflict do nothing
	`;
}

export interface RequestFilters {
	/** From and to a status, both inclusive. */
	readonly statuses?: readonly [number, number] | undefined;
	readonly method?: string | undefined;
	/** A route or a path. */
	readonly path?: string | undefined;
	readonly errorCode?: string | undefined;
	readonly apiKeyId?: string | undefined;
	readonly requestId?: string | undefined;
}

interface RequestRange {
	readonly dateFrom?: Date | undefined;
	readonly dateTo?: Date | undefined;
	/** The row that the page before ended with. */
	readonly after?: RowKey | undefined;
}

/** The place of the row so many after the beginning of a page; undefined where the list ends before. */
export async function findScanEnd(
	sql: Queryable,
	organizationId: string,
	range: RequestRange,
	rows: number,
): Promise<RowKey | undefined> {
	const [end] = await sql<RowKey[]>`
		select created_at as "createdAt", id
		from requests
		where ${isInRange(sql, organizationId, range)}
		order by created_at desc, id desc
		offset ${rows - 1}
		limit 1
	`;
	return end;
}

/** Lines of an organization, newest first. */
export async function listRequests(
	sql: Queryable,
	organizationId: string,
	range: RequestRange,
	filters: RequestFilters,
	{ end, limit }: { readonly end?: RowKey | undefined; readonly limit: number },
): Promise<WaitingLine[]> {
	const { statuses, method, path, errorCode, apiKeyId, requestId } = filters;
	const none = sql``;
	return sql<WaitingLine[]>`
		select
			organization_id as "organizationId",
			created_at as "createdAt",
			id,
			request_id as "requestId",
			method,
			route,
			path,
			status,
			duration_ms as "durationMs",
			api_key_id as "apiKeyId",
			api_key_prefix as "apiKeyPrefix",
			error_code as "errorCode",
			details,
			request,
			omitted
		from requests
		where ${isInRange(sql, organizationId, range)}
		${end ? sql`and (created_at, id) >= (${end.createdAt}, ${end.id})` : none}
		${statuses ? sql`and status between ${statuses[0]} and ${statuses[1]}` : none}
		${method ? sql`and method = ${method}` : none}
		${path ? sql`and (route = ${path} or path = ${path})` : none}
		${errorCode ? sql`and error_code = ${errorCode}` : none}
		${apiKeyId ? sql`and api_key_id = ${apiKeyId}` : none}
		${requestId ? sql`and request_id = ${requestId}` : none}
		order by created_at desc, id desc
		limit ${limit}
	`;
}

function isInRange(
	sql: Queryable,
	organizationId: string,
	{ dateFrom, dateTo, after }: RequestRange,
) {
	const none = sql``;
	return sql`
		organization_id = ${organizationId}
		${dateFrom ? sql`and created_at >= ${dateFrom}` : none}
		${dateTo ? sql`and created_at < ${dateTo}` : none}
		${isAfter(sql, after)}
	`;
}

/** Deletes lines of all organizations that are older than so many days, by the database's clock. */
export async function deleteOldRequests(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const isOld = sql`created_at < now() - ${days} * interval '1 day'`;
	return deleteBatch(sql, "requests", isOld, limit);
}

/** Deletes an organization's oldest lines beyond the newest so many, of those that were refused or of the others. */
export async function deleteRequestsBeyond(
	sql: Queryable,
	organizationId: string,
	{ refused, keep }: { readonly refused: boolean; readonly keep: number },
	limit: number,
): Promise<number> {
	const deleted = await sql`
		delete from requests
		where ctid = any(array(
			select ctid
			from requests
			where organization_id = ${organizationId}
			and (status >= 400) = ${refused}
			order by created_at desc, id desc
			offset ${keep}
			limit ${limit}
		))
	`;
	return deleted.count;
}
