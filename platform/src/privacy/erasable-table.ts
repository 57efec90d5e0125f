import type postgres from "postgres";
import type { Queryable, Tx } from "../database/database.ts";
import { LOWEST_ID } from "../runtime/ids.ts";

export interface ErasedStep {
	readonly erased: number;
	/** Rows that keep their number for now: their work is under way. */
	readonly pending: number;
	/** Where the next step begins; undefined when the table is done. */
	readonly next: string | undefined;
}

/** A table with numbers or texts, and how they go. */
export interface ErasableTable {
	readonly name: string;
	/** @param after where the step before ended, empty for the first */
	readonly erase: (
		sql: Tx,
		subject: Subject,
		after: string,
	) => Promise<ErasedStep>;
}

/** Rows of one step where an index finds them. */
const MAX_FOUND = 1_000;

/** Rows looked at in one step where none does. */
const PAGE = 10_000;

/** A table in which an index finds the rows; `erase` leaves none of those that it returns the number of. */
export function foundTable(
	name: string,
	erase: (sql: Tx, subject: Subject, limit: number) => Promise<number>,
): ErasableTable {
	return {
		name,
		erase: async (sql, subject) => {
			const erased = await erase(sql, subject, MAX_FOUND);
			const next = erased < MAX_FOUND ? undefined : "";
			return { erased, pending: 0, next };
		},
	};
}

interface ScannedTable {
	readonly name: string;
	/** The next rows in the order of their ids, with the columns `id`, `is_subject` and `is_pending`. */
	readonly page: (
		sql: Tx,
		subject: Subject,
		after: string,
		limit: number,
	) => postgres.Fragment;
	readonly erase: (sql: Tx, ids: readonly string[]) => PromiseLike<unknown>;
	/** Rows of one step, {@link PAGE} unless they are large. */
	readonly pageRows?: number;
}

/** A table that is scanned row by row, because no index finds a number in it. */
export function scannedTable(table: ScannedTable): ErasableTable {
	const { name, page, erase, pageRows = PAGE } = table;
	return {
		name,
		erase: async (sql, subject, after) => {
			const rows = page(sql, subject, after || LOWEST_ID, pageRows);
			const found = await readPage(sql, rows);
			if (found.ids.length > 0) await erase(sql, found.ids);
			const { pending, last } = found;
			return { erased: found.ids.length, pending, next: last ?? undefined };
		},
	};
}

interface FoundPage {
	readonly last: string | null;
	readonly ids: string[];
	readonly pending: number;
}

async function readPage(sql: Tx, page: postgres.Fragment): Promise<FoundPage> {
	const [found] = await sql<[FoundPage]>`
		with page as materialized (${page})
		select
			(select id from page order by id desc limit 1) as last,
			coalesce(array_agg(id::text) filter (where is_subject and not is_pending), '{}') as ids,
			count(*) filter (where is_subject and is_pending) as pending
		from page
	`;
	return found;
}

/** Whose data goes: a number's, an organization's, or a number's within an organization. */
export interface Subject {
	/** E.164 with "+"; undefined for every number of the organization. */
	readonly phone: string | undefined;
	/** Undefined for all. */
	readonly organizationId: string | undefined;
}

/** The condition that these columns name the subject; an empty number was erased before. */
export function isSubject(
	sql: Queryable,
	{ phone, organizationId }: Subject,
	columns: { readonly phone: string; readonly organization: string },
): postgres.Fragment {
	const isPhone =
		phone === undefined
			? sql`${sql(columns.phone)} <> ''`
			: sql`${sql(columns.phone)} = ${phone}`;
	return organizationId === undefined
		? isPhone
		: sql`${isPhone} and ${sql(columns.organization)} = ${organizationId}`;
}
