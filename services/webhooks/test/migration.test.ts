import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "@airtower/platform/database/migration/migrate";
import { platformMigrations } from "@airtower/platform/database/migration/migration-set";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrations } from "../src/migrations.ts";
import { countDeliveries } from "../src/store/deliveries.ts";
import { listDeliveriesOfMessage } from "../src/store/listed-deliveries.ts";

const FIRST = "0001_webhooks.sql";
const ID = "00000000-0000-7000-8000-00000000000";
/** The endpoint, and its organization. */
const ENDPOINT = `${ID}0`;
const OTHER_ENDPOINT = `${ID}9`;

let database: TestDatabase;
let folder: string;

/** A schema of the time when each delivery had a row with a state. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "airtower-webhooks-"));
	await cp(
		new URL(`../migrations/${FIRST}`, import.meta.url),
		join(folder, FIRST),
	);
	database = await testDatabase([
		platformMigrations.inbox,
		{ name: "webhooks", dir: pathToFileURL(`${folder}/`) },
	]);
});
afterAll(async () => {
	await database.drop();
	await rm(folder, { recursive: true });
});

it("deliveries of before are where they were: waiting, delivered or dead, with what is known of them", async () => {
	const { sql } = database;
	await sql`
		insert into endpoints (id, organization_id, url, subscribed_events, secret)
		values (${ENDPOINT}, ${ENDPOINT}, '', '{}', ''), (${OTHER_ENDPOINT}, ${ENDPOINT}, '', '{}', '')
	`;
	await sql`
		insert into events (id, organization_id, message_id, type, body, occurred_at, created_at)
		select id, ${ENDPOINT}, id, 'message.delivered', '{}', now(), now()
		from (select (${ID} || n)::uuid as id from generate_series(1, 5) n) as event
	`;
	await sql`
		insert into deliveries (
			event_id, endpoint_id, organization_id, state, attempt, due_at, lease_token, lease_until, last_http_status, last_error
		)
		values
			(${`${ID}1`}, ${ENDPOINT}, ${ENDPOINT}, 'pending', 2, now(), null, null, 500, 'http_status'),
			(${`${ID}2`}, ${ENDPOINT}, ${ENDPOINT}, 'sending', 1, null, ${ID + 1}, now(), null, null),
			(${`${ID}3`}, ${ENDPOINT}, ${ENDPOINT}, 'delivered', 1, null, null, null, 200, null),
			(${`${ID}4`}, ${ENDPOINT}, ${ENDPOINT}, 'delivered', 3, null, null, null, 204, null),
			(${`${ID}5`}, ${ENDPOINT}, ${ENDPOINT}, 'dead', 9, null, null, null, 503, 'http_status'),
			(${`${ID}5`}, ${OTHER_ENDPOINT}, ${ENDPOINT}, 'delivered', 1, null, null, null, 200, null)
	`;
	await migrate(sql, migrations);
	expect(await countDeliveries(sql, ENDPOINT)).toEqual({
		pending: 2,
		delivered: 3,
		dead: 1,
	});
	const find = async (n: number) => {
		const found = await listDeliveriesOfMessage(sql, "*", ID + n);
		return found.map(({ status, attempt, lastHttpStatus, lastError }) => [
			status,
			attempt,
			lastHttpStatus,
			lastError,
		]);
	};
	expect(await find(1)).toEqual([["pending", 2, 500, "http_status"]]);
	expect(await find(2)).toEqual([["pending", 1, null, null]]);
	expect(await find(3)).toEqual([["delivered", 1, 200, null]]);
	expect(await find(4)).toEqual([["delivered", 3, 204, null]]);
	expect(await find(5)).toEqual([
		["dead", 9, 503, "http_status"],
		["delivered", 1, 200, null],
	]);
});
