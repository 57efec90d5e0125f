import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { beforeEach, expect, test } from "vitest";
import { applyAccountChanges } from "../src/consumers/account-changes.ts";
import { applyMessageOutcomes } from "../src/consumers/index.ts";
import type { Context } from "../src/context.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { pauseByRequest } from "../src/store/campaign-changes.ts";
import { wakePausedCampaigns } from "../src/store/campaign-progress.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	accountChange,
	contextWith,
	createCampaign,
	makeDue,
	neverStops,
	outcome,
	ownDatabase,
	phones,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const sql = await ownDatabase();

let organizationId: string;
let messaging: FakeMessaging;
let ctx: Context;

beforeEach(async () => {
	await sql`delete from campaigns`;
	organizationId = uuidv7();
	messaging = fakeMessaging();
	ctx = contextWith(sql, messaging);
});

/** A campaign to so many, which the quota has paused after the first ones; returns its id. */
async function pausedCampaign(count: number, quota: number): Promise<string> {
	messaging.quota = quota;
	const recipients = phones(count);
	const { id } = await createCampaign(sql, organizationId, { recipients });
	await runDueCampaign(ctx, neverStops);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "paused",
		accepted: quota,
	});
	messaging.calls.length = 0;
	return id;
}

/** Makes the pause as old as that, and looks at the campaign. */
async function probeAfter(campaignId: string, pausedS: number): Promise<void> {
	await sql`
		update campaigns
		set paused_since = now() - ${pausedS} * interval '1 second'
		where id = ${campaignId}
	`;
	await makeDue(sql, campaignId);
	await runDueCampaign(ctx, neverStops);
}

/** Time from the beginning of the pause to the next look, s. */
async function lookedAtAfterS(campaignId: string): Promise<number> {
	const [row] = await sql<[{ seconds: number }]>`
		select extract(epoch from due_at - paused_since)::float8 as seconds
		from campaigns
		where id = ${campaignId}
	`;
	return row.seconds;
}

/** Who is sent to next: the lists of a campaign are stored side by side, in no certain order. */
async function nextPhone(campaignId: string): Promise<string> {
	const [row] = await sql<[{ phone: string }]>`
		select phone
		from recipients
		where campaign_id = ${campaignId}
		and state = 'pending'
		order by sequence
		limit 1
	`;
	return row.phone;
}

test("a paused campaign asks with one recipient, and with all once that one is accepted", async () => {
	const campaignId = await pausedCampaign(1_500, 700);
	await probeAfter(campaignId, 60);
	expect(messaging.calls).toEqual([1]);
	messaging.quota = 1_000;
	await probeAfter(campaignId, 60);
	expect(messaging.calls).toEqual([1, 1, 500, 299]);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		statusReason: null,
		accepted: 1_500,
	});
});

test("a recipient refused for good does not end the pause of the others", async () => {
	const campaignId = await pausedCampaign(1_500, 700);
	messaging.blocked = await nextPhone(campaignId);
	await probeAfter(campaignId, 120);
	expect(messaging.calls).toEqual([1, 1]);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "paused",
		statusReason: "quota_exhausted",
		skipped: 1,
		accepted: 700,
	});
	expect(await lookedAtAfterS(campaignId)).toBeGreaterThanOrEqual(240);
});

test("a pause is looked at after 30 s, then after as long as it has lasted, then every 10 min", async () => {
	const campaignId = await pausedCampaign(2, 1);
	expect(await lookedAtAfterS(campaignId)).toBe(30);
	await probeAfter(campaignId, 120);
	expect(await lookedAtAfterS(campaignId)).toBeGreaterThanOrEqual(240);
	await probeAfter(campaignId, 86_400);
	const lastS = (await lookedAtAfterS(campaignId)) - 86_400;
	expect(lastS).toBeGreaterThanOrEqual(600);
	expect(lastS).toBeLessThan(1_200);
});

test("a pause counts from its own beginning, however long an earlier one was", async () => {
	const campaignId = await pausedCampaign(1_500, 700);
	messaging.quota = 10;
	await probeAfter(campaignId, 86_400);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "paused",
		accepted: 710,
	});
	expect(await lookedAtAfterS(campaignId)).toBe(30);
});

test("news that comes while a campaign asks is not slept through", async () => {
	const campaignId = await pausedCampaign(2, 1);
	messaging.meanwhile = () => wakePausedCampaigns(sql, [organizationId]);
	await probeAfter(campaignId, 86_400);
	expect(await lookedAtAfterS(campaignId)).toBeLessThan(600);
});

test("a pause ends when outcomes have settled everybody, though the last response was lost", async () => {
	const campaignId = await pausedCampaign(2, 1);
	messaging.quota = 1;
	messaging.loseNextResponse = true;
	await probeAfter(campaignId, 60);
	const events = phones(2).map((to) =>
		outcome(
			{ id: campaignId, organizationId },
			to,
			messaging.accepted.get(to)?.messageId ?? "",
			"delivered",
		),
	);
	await transaction(sql, (sql) => applyMessageOutcomes(sql, events));
	await makeDue(sql, campaignId);
	await runDueCampaign(ctx, neverStops);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "completed",
		statusReason: null,
		accepted: 2,
		delivered: 2,
	});
});

async function close(): Promise<void> {
	const event = accountChange(organizationId, {
		case: "organizationChanged",
		value: { state: "closed" },
	});
	await transaction(sql, (sql) => applyAccountChanges(sql, [event], 50));
}

/** As if the organization had been closed long enough ago. */
async function letClosingAge(): Promise<void> {
	await sql`update closed_organizations set noted_at = now() - interval '31 seconds'`;
}

test("a pause ends when its organization is closed: who was sent to counts, also when the response was lost, the others are skipped", async () => {
	const campaignId = await pausedCampaign(1_500, 700);
	messaging.quota = 1;
	messaging.loseNextResponse = true;
	await probeAfter(campaignId, 60);
	await close();
	await letClosingAge();
	await makeDue(sql, campaignId);
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		statusReason: null,
		audience: 1_500,
		accepted: 701,
		skipped: 799,
	});
	const reasons = await sql`
		select distinct reason
		from recipients
		where campaign_id = ${campaignId}
		and state = 'skipped'
	`;
	expect([...reasons]).toEqual([{ reason: "organization_closed" }]);
});

test("a campaign that starts after its organization was closed ends", async () => {
	messaging.quota = 0;
	await close();
	await createCampaign(sql, organizationId, { recipients: phones(3) });
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "paused",
		statusReason: "quota_exhausted",
		skipped: 0,
	});
	await letClosingAge();
	await sql`update campaigns set due_at = now()`;
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "failed",
		statusReason: "no_audience",
		skipped: 3,
	});
});

test("a pause that was requested ends when its organization is closed, and nobody is sent to", async () => {
	messaging.quota = 0;
	const recipients = phones(3);
	const { id } = await createCampaign(sql, organizationId, { recipients });
	await transaction(sql, (sql) => pauseByRequest(sql, organizationId, id));
	await close();
	await letClosingAge();
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "failed",
		statusReason: "no_audience",
		skipped: 3,
	});
});
