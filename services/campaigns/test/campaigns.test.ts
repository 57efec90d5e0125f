import { uuidv7 } from "@airtower/platform/runtime/ids";
import { expect, test } from "vitest";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { wakePausedCampaigns } from "../src/store/campaign-progress.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	addContacts,
	contextWith,
	createCampaign,
	makeDue,
	neverStops,
	ownDatabase,
	phone,
	phones,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const sql = await ownDatabase();

test("every contact with all of the tags is sent to once, by name", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await addContacts(sql, organizationId, 30, (index) =>
		index % 3 === 0 ? ["gold", "vip"] : ["gold"],
	);
	await createCampaign(sql, organizationId, { tags: ["gold", "vip"] });
	await runAll(contextWith(sql, messaging));
	expect([...messaging.accepted.keys()]).toEqual(
		Array.from({ length: 10 }, (_, index) => phone(index * 3)),
	);
	expect(messaging.accepted.get(phone(3))?.body).toBe("Hi Name 3");
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		audience: 10,
		accepted: 10,
	});
});

test("every contact with any of the tags is sent to once, also with both, and no other organization's", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await addContacts(
		sql,
		organizationId,
		9,
		(index) => [["a"], ["b"], ["a", "b"]][index % 3] ?? [],
	);
	await addContacts(sql, uuidv7(), 20, () => ["a", "b"]);
	await createCampaign(sql, organizationId, { tags: ["a", "b"], match: "any" });
	await runAll(contextWith(sql, messaging));
	expect(messaging.accepted.size).toBe(9);
});

test("a lost response repeats nobody and skips nobody", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const recipients = phones(1_200);
	const campaign = await createCampaign(sql, organizationId, { recipients });
	const ctx = contextWith(sql, messaging);
	messaging.loseNextResponse = true;
	await runDueCampaign(ctx, neverStops);
	await makeDue(sql, campaign.id);
	await runAll(ctx);
	expect([...messaging.accepted.keys()].sort()).toEqual(recipients);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		audience: 1_200,
		accepted: 1_200,
	});
});

test("an invalid number and one given twice are skipped, each with its reason", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await createCampaign(sql, organizationId, {
		recipients: [phone(1), "0612300001", "nonsense", phone(2), phone(2)],
	});
	messaging.blocked = phone(2);
	await runAll(contextWith(sql, messaging));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		audience: 5,
		skipped: 4,
		accepted: 1,
	});
	const reasons =
		await sql`select reason from recipients where state = 'skipped' and reason is not null order by reason`;
	expect(reasons.map((row) => row.reason)).toEqual([
		"invalid_phone_number",
		"message_too_long",
	]);
});

test("a text that the name makes too long is skipped, however many there are", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const nameOf = (index: number) => (index === 7 ? "Ada" : "x".repeat(200));
	await addContacts(sql, organizationId, 501, () => ["all"], nameOf);
	const campaign = await createCampaign(
		sql,
		organizationId,
		{ tags: ["all"] },
		{ messageTemplate: "{{name}}".repeat(200) },
	);
	await runAll(contextWith(sql, messaging));
	expect([...messaging.accepted.keys()]).toEqual([phone(7)]);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		audience: 501,
		skipped: 500,
		accepted: 1,
	});
	const reasons = await sql`
		select distinct reason
		from recipients
		where campaign_id = ${campaign.id}
		and state = 'skipped'
	`;
	expect([...reasons]).toEqual([{ reason: "message_too_long" }]);
});

test("exhausted quota pauses at exactly the units there are, and a top-up resumes", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging(700);
	const recipients = phones(2_000);
	await createCampaign(sql, organizationId, { recipients });
	const ctx = contextWith(sql, messaging);
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "paused",
		statusReason: "quota_exhausted",
		accepted: 700,
		skipped: 0,
	});
	messaging.quota = 5_000;
	expect(await wakePausedCampaigns(sql, [organizationId])).toBe(1);
	await runAll(ctx);
	expect(messaging.accepted.size).toBe(2_000);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		accepted: 2_000,
	});
});

test("a campaign without an audience fails, and a scheduled one waits for its time", async () => {
	const organizationId = uuidv7();
	const ctx = contextWith(sql, fakeMessaging());
	await createCampaign(sql, organizationId, { tags: ["nobody"] });
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "failed",
		statusReason: "no_audience",
	});
	const later = await createCampaign(
		sql,
		organizationId,
		{ tags: ["nobody"] },
		{ scheduledAt: new Date(Date.now() + 3_600_000) },
	);
	await runAll(ctx);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		id: later.id,
		status: "scheduled",
	});
});

test("several workers on one campaign repeat nobody", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await createCampaign(sql, organizationId, {
		recipients: phones(3_000),
	});
	const ctx = contextWith(sql, messaging);
	await Promise.all([runAll(ctx), runAll(ctx), runAll(ctx)]);
	expect(messaging.accepted.size).toBe(3_000);
});
