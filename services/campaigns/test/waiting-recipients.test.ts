import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { expect, test } from "vitest";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { cancelByRequest } from "../src/store/campaign-changes.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	endCalls,
	makeDue,
	neverStops,
	ownDatabase,
	phones,
	readCampaign,
} from "./test-campaigns.ts";

const sql = await ownDatabase();

/** A campaign to so many recipients, and messaging; some of them, by their index, wait for a route. */
async function startCampaign(
	recipients: number,
	mustWait: (index: number) => boolean,
	quota = 1_000_000,
) {
	const messaging = fakeMessaging(quota);
	const organizationId = uuidv7();
	const list = phones(recipients);
	const waiting = new Set(list.filter((_, index) => mustWait(index)));
	messaging.mustWait = (to) => waiting.has(to);
	const { id } = await createCampaign(sql, organizationId, {
		recipients: list,
	});
	const ctx = contextWith(sql, messaging);
	return {
		messaging,
		read: () => readCampaign(sql, organizationId),
		async run(rounds: number) {
			for (let round = 0; round < rounds; round++) {
				await makeDue(sql, id);
				await runDueCampaign(ctx, neverStops);
			}
		},
		resumeRoute() {
			messaging.mustWait = () => false;
		},
		async cancel() {
			await transaction(sql, (sql) => cancelByRequest(sql, organizationId, id));
			await endCalls(sql, id);
		},
		countBatches: async () =>
			(await sql`select from sent_batches where campaign_id = ${id}`).length,
	};
}

test("who waits for a route keeps nobody waiting, and is sent to once it is there", async () => {
	const campaign = await startCampaign(12_000, (index) => index % 100 === 0);
	await campaign.run(3);
	expect(await campaign.read()).toMatchObject({
		status: "sending",
		accepted: 11_880,
	});
	campaign.resumeRoute();
	await campaign.run(2);
	expect(await campaign.read()).toMatchObject({ accepted: 12_000 });
	expect(campaign.messaging.accepted.size).toBe(12_000);
	expect(await campaign.countBatches()).toBe(0);
});

test("batches of which all wait are passed over by the next rounds", async () => {
	const campaign = await startCampaign(3_000, (index) => index < 2_500);
	await campaign.run(3);
	expect(await campaign.read()).toMatchObject({ accepted: 500 });
	const { calls } = campaign.messaging;
	const before = calls.length;
	await campaign.run(1);
	expect(calls.slice(before)).toEqual([500, 500, 500, 500, 500]);
	campaign.resumeRoute();
	await campaign.run(1);
	expect(await campaign.read()).toMatchObject({ accepted: 3_000 });
});

test("a paused campaign asks others than those who wait whether the reason of its pause is gone", async () => {
	const campaign = await startCampaign(700, (index) => index < 600, 50);
	await campaign.run(3);
	expect(await campaign.read()).toMatchObject({ status: "paused" });
	campaign.messaging.quota = 1_000;
	await campaign.run(3);
	expect(await campaign.read()).toMatchObject({
		status: "sending",
		accepted: 100,
	});
	campaign.resumeRoute();
	await campaign.run(1);
	expect(await campaign.read()).toMatchObject({ accepted: 700 });
	expect(campaign.messaging.quota).toBe(350);
});

test("of many batches that wait each comes to its turn", async () => {
	const campaign = await startCampaign(30_000, (index) => index % 500 === 0);
	await campaign.run(3);
	expect(await campaign.countBatches()).toBe(60);
	campaign.resumeRoute();
	await campaign.run(30);
	expect(await campaign.read()).toMatchObject({ accepted: 30_000 });
});

test("a campaign that is cancelled ends without those who wait for a route, and never sends to them", async () => {
	const campaign = await startCampaign(1_200, (index) => index % 2 === 0, 700);
	await campaign.run(2);
	expect(await campaign.read()).toMatchObject({ accepted: 600 });
	await campaign.cancel();
	await campaign.run(1);
	expect(await campaign.read()).toMatchObject({
		status: "cancelled",
		accepted: 600,
		skipped: 600,
	});
	expect(await campaign.countBatches()).toBe(0);
	campaign.resumeRoute();
	await campaign.run(2);
	expect(campaign.messaging.accepted.size).toBe(600);
	expect(campaign.messaging.quota).toBe(100);
});
