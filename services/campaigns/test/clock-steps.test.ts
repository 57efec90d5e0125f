import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { followDatabaseClock } from "../src/jobs/follow-clock.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import { LEASE_MS } from "../src/store/campaign-leases.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	neverStops,
	phones,
	readCampaign,
} from "./test-campaigns.ts";

const RECIPIENTS = 2_000;
const BACK_MS = -5 * 60_000;

let database: TestDatabase;

beforeEach(async () => {
	database = await testDatabase(migrations, { hasMovableClock: true });
});

afterEach(() => database.drop());

test.each([
	["minutes forward, and a second process takes the campaign,", 60_000, 1],
	["5 minutes back, and nobody else may have the campaign,", BACK_MS, 0],
] as const)(
	"when the clock steps %s nobody is sent to twice and each recipient counts once",
	async (_, stepMs, taken) => {
		const { sql } = database;
		const organizationId = uuidv7();
		await createCampaign(sql, organizationId, {
			recipients: phones(RECIPIENTS),
		});
		const messaging = fakeMessaging();
		const ctx = contextWith(sql, messaging);
		const response = Promise.withResolvers<void>();
		messaging.meanwhile = () => response.promise;
		const first = runDueCampaign(ctx, neverStops);
		await eventually(() => expect(messaging.calls).toHaveLength(4));
		const sent = new Map(messaging.accepted);

		messaging.meanwhile = async () => {};
		let clockMs = 0;
		await eventually(async () => {
			// The first process may renew its lease between a step and the claim; the next step ends it again.
			clockMs += stepMs;
			await database.setClock(clockMs);
			expect(await runDueCampaign(ctx, neverStops)).toBe(taken);
		});
		response.resolve();
		await first;
		await eventually(async () => {
			await runDueCampaign(ctx, neverStops);
			expect(messaging.accepted.size).toBe(RECIPIENTS);
		});
		for (const [phone, { messageId }] of sent)
			expect(messaging.accepted.get(phone)?.messageId).toBe(messageId);
		expect(await readCampaign(sql, organizationId)).toMatchObject({
			audience: RECIPIENTS,
			accepted: RECIPIENTS,
			skipped: 0,
		});
	},
);

test("a campaign goes on at once after the clock stepped back 5 minutes, also one whose scheduler is gone", async () => {
	const { sql } = database;
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const ctx = contextWith(sql, messaging);
	await followDatabaseClock(ctx);
	const { id } = await createCampaign(sql, organizationId, {
		recipients: phones(10),
	});
	await sql`
		update campaigns
		set lease_token = ${uuidv7()}, lease_until = now() + ${LEASE_MS - 1} * interval '1 millisecond'
		where id = ${id}
	`;
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
	await database.setClock(BACK_MS + LEASE_MS);
	await eventually(async () => {
		await runDueCampaign(ctx, neverStops);
		expect(messaging.accepted.size).toBe(10);
	});
});

test("a scheduled campaign keeps its time when the clock steps back", async () => {
	const { sql } = database;
	const ctx = contextWith(sql, fakeMessaging());
	await followDatabaseClock(ctx);
	const scheduledAt = new Date(Date.now() + 60_000);
	const { id } = await createCampaign(
		sql,
		uuidv7(),
		{ recipients: phones(10) },
		{ scheduledAt },
	);
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
	const [row] = await sql`select due_at from campaigns where id = ${id}`;
	expect(row?.due_at).toEqual(scheduledAt);
});
