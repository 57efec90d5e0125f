import type { Db } from "../database.ts";

/** Lets a role read and write every table of the schema, the future ones too, and change none. */
export async function grantUse(sql: Db, role: string): Promise<void> {
	const [row] = await sql<[{ schema: string }]>`
		select current_schema() as schema
	`;
	const [to, schema] = [sql(role), sql(row.schema)];
	await sql`grant usage on schema ${schema} to ${to}`;
	for (const privileges of [
		sql`select, insert, update, delete on all tables`,
		sql`usage on all sequences`,
	])
		await sql`grant ${privileges} in schema ${schema} to ${to}`;
	await sql`alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${to}`;
	await sql`alter default privileges in schema ${schema} grant usage on sequences to ${to}`;
}
