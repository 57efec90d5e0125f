import type { Queryable } from "@airtower/platform/database";

export async function planExists(
	sql: Queryable,
	name: string,
): Promise<boolean> {
	const rows = await sql`
		select
		from plans
		where name = ${name}
	`;
	return rows.length === 1;
}
