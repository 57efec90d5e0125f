import { transaction } from "@airtower/platform/database/database";
import { grantUse } from "@airtower/platform/database/migration/migration-job";
import { firstIdAt, uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPartitions } from "../src/jobs/keep-partitions.ts";
import { dropPartition } from "../src/store/old-partitions.ts";
import { createPartition } from "../src/store/partitions.ts";
import {
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

async function partitionNames(table: string): Promise<string[]> {
	const rows = await messaging.sql<{ name: string }[]>`
		select inhrelid::regclass::text as name
		from pg_inherits
		where inhparent = to_regclass(${table})
		order by 1
	`;
	return rows.map((row) => row.name);
}

test("this week's and the four coming partitions exist, and are created once", async () => {
	expect(await partitionNames("messages")).toHaveLength(6);
	expect(await partitionNames("parts")).toHaveLength(6);
	expect(await createPartitions(messaging.sql, new Date())).toBe(0);
	const nextWeek = new Date(Date.now() + 7 * 24 * 3_600_000);
	expect(await createPartitions(messaging.sql, nextWeek)).toBe(2);
});

test("a role that does not own the tables creates partitions, uses them, and drops weeks alone", async () => {
	const { sql } = messaging;
	const [row] = await sql<
		[{ schema: string }]
	>`select current_schema() as schema`;
	const role = `${row.schema}_service`;
	await sql.unsafe(`create role ${role}`);
	await grantUse(sql, role);
	const week = { from: new Date("2050-01-03"), to: new Date("2050-01-10") };
	const created = await transaction(sql, async (sql) => {
		await sql.unsafe(`set local role ${role}`);
		const created = await createPartition(sql, { table: "parts", ...week });
		expect(await sql`select from parts_20500103`).toEqual([]);
		return created;
	});
	expect(created).toBe(true);
	const drop = (name: string) =>
		transaction(sql, async (sql) => {
			await sql.unsafe(`set local role ${role}`);
			return dropPartition(sql, "parts", name);
		});
	expect(await drop("parts_20500103")).toBe(true);
	expect(await drop("parts_20500103")).toBe(false);
	await expect(drop("parts_default")).rejects.toThrow("is no week");
	expect(await partitionNames("parts")).toContain("parts_default");
	expect(await partitionNames("parts")).not.toContain("parts_20500103");
	await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
});

test("two processes that create them at the same time do not collide", async () => {
	const inAYear = new Date(Date.now() + 365 * 24 * 3_600_000);
	const created = await Promise.all([
		createPartitions(messaging.sql, inAYear),
		createPartitions(messaging.sql, inAYear),
	]);
	expect(created[0] + created[1]).toBe(10);
});

test("a process waits for another that takes long to create the same partition", async () => {
	const { sql } = messaging;
	const from = new Date("2040-01-02");
	const to = new Date("2040-01-09");
	const create = () =>
		transaction(sql, (sql) =>
			createPartition(sql, { table: "messages", from, to }),
		);
	const [slow, waited] = await Promise.all([
		transaction(sql, async (sql) => {
			await sql`select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('messages_20400102'))`;
			await sql`select pg_sleep(2.5)`;
			return createPartition(sql, { table: "messages", from, to });
		}),
		sql`select pg_sleep(0.2)`.then(create),
	]);
	expect([slow, waited]).toEqual([true, false]);
});

test("a partition can be created while messages are being stored", async () => {
	const organization = await organizationWith(messaging, 100);
	const inTwoYears = new Date(Date.now() + 730 * 24 * 3_600_000);
	await Promise.all([
		createPartitions(messaging.sql, inTwoYears),
		...Array.from({ length: 50 }, () =>
			sendOne(messaging, messageTo(organization)),
		),
	]);
});

test("the first id of a moment is below every id of that moment and above all earlier ones", () => {
	const now = Date.now();
	expect(firstIdAt(new Date(now)) <= uuidv7(now)).toBe(true);
	expect(firstIdAt(new Date(now + 60_000)) > uuidv7()).toBe(true);
});
