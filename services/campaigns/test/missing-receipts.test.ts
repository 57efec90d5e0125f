import { type Db, transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMessageOutcomes } from "../src/consumers/index.ts";
import type { Context } from "../src/context.ts";
import { pendingOf } from "../src/domain/campaign-state.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import {
	pauseByRequest,
	resumeByRequest,
} from "../src/store/campaign-changes.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	makeDue,
	neverStops,
	outcome,
	phone,
	phones,
	readCampaign,
} from "./test-campaigns.ts";

let database: TestDatabase;
let sql: Db;
let messaging: FakeMessaging;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	sql = database.sql;
	messaging = fakeMessaging();
	ctx = contextWith(sql, messaging);
});

afterAll(() => database.drop());

async function deliver(
	campaign: Parameters<typeof outcome>[0],
	to: string,
): Promise<void> {
	const messageId = messaging.accepted.get(to)?.messageId ?? "";
	const event = outcome(campaign, to, messageId, "delivered");
	await transaction(sql, (sql) => applyMessageOutcomes(sql, [event]));
}

/** Looks at the campaign as if everybody had been staged so long ago. */
async function lookAfter(campaignId: string, hours: number): Promise<void> {
	await sql`
		update campaigns
		set staged_at = now() - ${hours} * interval '1 hour'
		where id = ${campaignId}
	`;
	await makeDue(sql, campaignId);
	await runDueCampaign(ctx, neverStops);
}

test("a campaign waits 12 days for its last receipt, then ends with errors, and a later outcome counts", async () => {
	const organizationId = uuidv7();
	const recipients = phones(3);
	const campaign = await createCampaign(sql, organizationId, { recipients });
	const read = () => readCampaign(sql, organizationId);
	await runDueCampaign(ctx, neverStops);
	await deliver(campaign, phone(0));
	await lookAfter(campaign.id, 287);
	expect(await read()).toMatchObject({ status: "sending", delivered: 1 });

	await lookAfter(campaign.id, 288);
	const ended = await read();
	expect(ended).toMatchObject({ status: "completed_with_errors" });
	expect(ended.completedAt).not.toBeNull();
	expect(pendingOf(ended)).toBe(2);

	await deliver(campaign, phone(1));
	const later = await read();
	expect(later).toMatchObject({ ...ended, delivered: 2 });
	expect(pendingOf(later)).toBe(1);
});

/** How long after the last was staged the campaign is looked at, h. */
async function lookedAtAfterHours(campaignId: string): Promise<number> {
	const [row] = await sql<[{ hours: number }]>`
		select extract(epoch from due_at - staged_at)::float8 / 3600 as hours
		from campaigns
		where id = ${campaignId}
	`;
	return row.hours;
}

test("a campaign that waits for receipts alone is looked at when the wait is over, not before", async () => {
	const campaign = await createCampaign(sql, uuidv7(), {
		recipients: [phone(9)],
	});
	await runDueCampaign(ctx, neverStops);
	expect(await lookedAtAfterHours(campaign.id)).toBe(288);
});

test("a pause that ends on the eleventh day of the wait does not make it begin anew", async () => {
	const organizationId = uuidv7();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(8)],
	});
	await runDueCampaign(ctx, neverStops);
	await transaction(sql, async (sql) => {
		await pauseByRequest(sql, organizationId, id);
		await resumeByRequest(sql, organizationId, id);
	});
	await lookAfter(id, 264);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
	});
	expect(await lookedAtAfterHours(id)).toBe(288);
});
