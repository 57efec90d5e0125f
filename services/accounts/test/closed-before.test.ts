import { randomBytes } from "node:crypto";
import { connectDatabase, type Db } from "@airtower/platform/database/database";
import { adminUrl } from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findClosedBefore } from "../src/store/closed-ledger.ts";

/** Far ahead of every transaction. */
const CUT = new Date(Date.now() + 3_600_000);

const role = `test_role_${randomBytes(6).toString("hex")}`;
let admin: Db;
/** The service with a role of its own, which is not told of other roles' sessions. */
let sql: Db;

beforeAll(async () => {
	admin = connect(adminUrl(), "admin");
	const password = randomBytes(12).toString("hex");
	await admin.unsafe(`create role ${role} login password '${password}'`);
	const url = new URL(adminUrl());
	url.username = role;
	url.password = password;
	sql = connect(url.href, role);
});

afterAll(async () => {
	await sql.end();
	await admin`drop role ${admin(role)}`;
	await admin.end();
});

function connect(url: string, applicationName: string): Db {
	return connectDatabase({
		url,
		schema: "public",
		poolSize: 2,
		applicationName,
	});
}

test("an ordinary role sees its own open transactions and waits for them", async () => {
	await sql.begin(async (open) => {
		const [row] = await open<{ begun: Date }[]>`select now() as begun`;
		const begun = row?.begun.getTime() ?? 0;
		await sql`select pg_sleep(0.05)`;
		expect((await findClosedBefore(sql, CUT)).getTime()).toBeLessThan(begun);
	});
});

test("without open transactions the cut counts", async () => {
	const cut = new Date(Date.now() - 60_000);
	expect(await findClosedBefore(sql, cut)).toEqual(cut);
});

test("a server that does not track transactions is refused", async () => {
	const blind = admin.begin(async (sql) => {
		await sql`set local track_activities = off`;
		return findClosedBefore(sql, CUT);
	});
	await expect(blind).rejects.toThrow("track_activities");
});
