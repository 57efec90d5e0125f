import { migrate } from "@airtower/platform/database/migration/migrate";
import { LOWEST_ID, uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase(migrations);
});
afterAll(() => database.drop());

test("scans go on where processes of 0.1.0 have left them, also when the migration runs once more", async () => {
	const { sql } = database;
	const ids = Array.from({ length: 2_500 }, () => uuidv7());
	const [submitted = "", passed = "", own = ""] = ids;
	await sql`update scans set upto = ${submitted}`;
	await sql`
		insert into body_scans
		select organization_id, ${passed}
		from unnest(${[LOWEST_ID, ...ids]}::uuid[]) as of_all (organization_id)
	`;
	await sql`delete from scan_positions`;
	await sql`delete from migrations where name = 'messaging/0020_scan_positions.sql'`;
	await sql`
		insert into scan_positions (name, position)
		values (${`bodies/${own}`}, 'has gone on')
	`;
	expect(await migrate(sql, migrations)).toEqual([
		"messaging/0020_scan_positions.sql",
	]);
	const rows = await sql<{ name: string; position: string }[]>`
		select name, position
		from scan_positions
	`;
	const positions = new Map(rows.map((row) => [row.name, row.position]));
	expect(positions).toEqual(
		new Map([
			["no_receipt", submitted],
			["bodies", passed],
			...ids.map((id) => [`bodies/${id}`, passed] as const),
			[`bodies/${own}`, "has gone on"],
		]),
	);
});
