import { serviceNames } from "@airtower/dev/start/system";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

let system: SharedSystem;

beforeAll(async () => {
	system = await sharedSystem();
});

test.each(serviceNames)(
	"the role of %s reads no other service's tables",
	async (service) => {
		const sql = postgres(system.databaseUrl(service), { max: 1 });
		const tables = await sql<{ schema: string; table: string }[]>`
		select n.nspname as schema, c.relname as table
		from pg_class as c
		join pg_namespace as n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p')
		and n.nspname = any(${[...serviceNames]}::text[])
	`;
		const readable = await sql<{ schema: string }[]>`
		select distinct n.nspname as schema
		from pg_class as c
		join pg_namespace as n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p')
		and n.nspname = any(${[...serviceNames]}::text[])
		and has_schema_privilege(n.oid, 'usage')
		and has_table_privilege(c.oid, 'select')
	`;
		expect(new Set(tables.map((table) => table.schema)).size).toBe(
			serviceNames.length,
		);
		expect(readable).toEqual([{ schema: service }]);
		const foreign = tables.find((table) => table.schema !== service);
		await expect(
			sql`select 1 from ${sql(foreign?.schema ?? "")}.${sql(foreign?.table ?? "")}`,
		).rejects.toMatchObject({ code: "42501" });
		await sql.end();
	},
);
