import type { Queryable } from "@airtower/platform/database/database";

export interface InboundNumber {
	/** See `toInboundAddress`. */
	readonly number: string;
	/** Null: all texts to the number that no keyword takes. */
	readonly keyword: string | null;
	readonly organizationId: string;
	readonly createdAt: Date;
}

const columns = (sql: Queryable) => sql`
	number,
	keyword,
	organization_id as "organizationId",
	created_at as "createdAt"
`;

/** Undefined where somebody has the number and keyword already. */
export async function insertInboundNumber(
	sql: Queryable,
	{ number, keyword, organizationId }: Omit<InboundNumber, "createdAt">,
): Promise<InboundNumber | undefined> {
	const [row] = await sql<InboundNumber[]>`
		insert into inbound_numbers (number, keyword, organization_id)
		values (${number}, ${keyword}, ${organizationId})
		on conflict do nothing
		returning ${columns(sql)}
	`;
	return row;
}

export async function findInboundNumber(
	sql: Queryable,
	number: string,
	keyword: string | null,
): Promise<InboundNumber | undefined> {
	const [row] = await sql<InboundNumber[]>`
		select ${columns(sql)}
		from inbound_numbers
		where number = ${number}
		and keyword is not distinct from ${keyword}
	`;
	return row;
}

/** Undefined where there is none. */
export async function deleteInboundNumber(
	sql: Queryable,
	number: string,
	keyword: string | null,
): Promise<InboundNumber | undefined> {
	const [row] = await sql<InboundNumber[]>`
		delete from inbound_numbers
		where number = ${number}
		and keyword is not distinct from ${keyword}
		returning ${columns(sql)}
	`;
	return row;
}

/** By number, each without its keyword first. */
export async function listInboundNumbers(
	sql: Queryable,
	limit: number,
): Promise<InboundNumber[]> {
	return sql<InboundNumber[]>`
		select ${columns(sql)}
		from inbound_numbers
		order by number, keyword nulls first
		limit ${limit}
	`;
}

/** The keywords of all shared numbers. */
export async function findKeywords(sql: Queryable): Promise<string[]> {
	const rows = await sql<{ keyword: string }[]>`
		select distinct keyword
		from inbound_numbers
		where keyword is not null
	`;
	return rows.map(({ keyword }) => keyword);
}

/** Those of these numbers, with all their keywords. */
export async function findInboundNumbers(
	sql: Queryable,
	numbers: readonly string[],
): Promise<InboundNumber[]> {
	return sql<InboundNumber[]>`
		select ${columns(sql)}
		from inbound_numbers
		where number = any(${[...numbers]}::text[])
	`;
}
