import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	neverStops,
	phones,
	readCampaign,
} from "./test-campaigns.ts";

const RECIPIENTS = 2_000;

let database: TestDatabase;

beforeEach(async () => {
	database = await testDatabase(migrations, { hasMovableClock: true });
});

afterEach(() => database.drop());

test.each([
	["1 minute forward, and a second process takes the campaign,", 60_000, 1],
	["5 minutes back, and nobody else may have the campaign,", -5 * 60_000, 0],
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

		await database.setClock(stepMs);
		messaging.meanwhile = async () => {};
		expect(await runDueCampaign(ctx, neverStops)).toBe(taken);
		response.resolve();
		await first;
		await eventually(async () => {
			await runDueCampaign(ctx, neverStops);
			expect(messaging.accepted.size).toBe(RECIPIENTS);
		});
		for (const [phone, { messageId }] of sent)
			expect(messaging.accepted.get(phone)?.messageId).toBe(messageId);
		expect(await readCampaign(sql, organizationId)).toMatchObject({
			...{ audience: RECIPIENTS, accepted: RECIPIENTS, skipped: 0 },
		});
	},
);
