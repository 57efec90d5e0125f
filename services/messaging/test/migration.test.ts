import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "@airtower/platform/database/migration/migrate";
import { platformMigrations } from "@airtower/platform/database/migration/migration-set";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import { dispatchOf, messageRow } from "./support/rows.ts";

const FOLDER = new URL("../migrations/", import.meta.url);
const LEASED_DISPATCH = "0008";
const ID = "00000000-0000-7000-8000-00000000000";
const TOKEN = `${ID}9`;

let database: TestDatabase;
let folder: string;

/** A schema of the time when each row of the queue had a state. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "airtower-messaging-"));
	for (const name of await readdir(FOLDER))
		if (name < LEASED_DISPATCH)
			await cp(new URL(name, FOLDER), join(folder, name));
	database = await testDatabase([
		platformMigrations.outbox,
		platformMigrations.idempotency,
		{ name: "messaging", dir: pathToFileURL(`${folder}/`) },
	]);
});

afterAll(async () => {
	await database.drop();
	await rm(folder, { recursive: true });
});

test("messages of before are where they were: waiting, on their way or unknown, with their attempts", async () => {
	const { sql } = database;
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value, segments, concat_reference, route,
			status, attempts
		)
		select id, ${ID + 0}, '+33612345678', 'Hello', ${ID + 0}, 'Shop', 2, 0, 'smpp', status, attempts
		from (values
			(${ID + 1}::uuid, 'accepted', 0),
			(${ID + 2}, 'accepted', 0),
			(${ID + 3}, 'submitting', 1),
			(${ID + 4}, 'unknown', 2)
		) as message (id, status, attempts)
	`;
	await sql`insert into dispatchers (token, lease_until) values (${TOKEN}, now())`;
	await sql`
		insert into dispatch (message_id, organization_id, route, expires_at, state, attempt, refusals, resent, token)
		select id, ${ID + 0}, 'smpp', now() + interval '1 day', state, attempt, refusals, resent, token
		from (values
			(${ID + 1}::uuid, 'queued', 1, 0, false, null),
			(${ID + 2}, 'claimed', 1, 0, false, ${TOKEN}::uuid),
			(${ID + 3}, 'submitting', 2, 1, false, ${TOKEN}),
			(${ID + 4}, 'unknown', 2, 0, true, null)
		) as row (id, state, attempt, refusals, resent, token)
	`;
	await migrate(sql, migrations);
	const find = async (n: number) => {
		const { status, attempts } = await messageRow(sql, ID + n);
		return [(await dispatchOf(sql, ID + n))?.state, status, attempts];
	};
	expect(await find(1)).toEqual(["queued", "accepted", 0]);
	expect(await find(2)).toEqual(["queued", "accepted", 0]);
	expect(await find(3)).toEqual(["submitting", "submitting", 1]);
	expect(await find(4)).toEqual(["unknown", "unknown", 2]);
	const leases = await sql`
		select
		from dispatch
		join leases using (token)
		where segments = 2
	`;
	expect(leases.count).toBe(1);
});
