import { transaction } from "@airtower/platform/database/database";
import { startConsumer } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testEventBus } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, test } from "vitest";
import {
	applyMessageOutcomes,
	consumerGroups,
} from "../src/consumers/index.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	makeDue,
	neverStops,
	outcome,
	ownDatabase,
	phone,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const sql = await ownDatabase();

test("the outcome of another organization's message that names a campaign is none of the campaign's", async () => {
	const organizationId = uuidv7();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(1)],
	});
	await runDueCampaign(contextWith(sql, fakeMessaging()), neverStops);
	const foreign = { id, organizationId: uuidv7() };
	const failed = outcome(foreign, phone(1), uuidv7(), "failed");
	await transaction(sql, (sql) => applyMessageOutcomes(sql, [failed]));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		accepted: 1,
		failed: 0,
	});
});

test("outcomes count once each, also when they come first or twice, and the last one completes", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const campaign = await createCampaign(sql, organizationId, {
		recipients: [phone(1), phone(2)],
	});
	const ctx = contextWith(sql, messaging);
	messaging.loseNextResponse = true;
	await runDueCampaign(ctx, neverStops);
	const events = [phone(1), phone(2)].map((to) =>
		outcome(
			campaign,
			to,
			messaging.accepted.get(to)?.messageId ?? "",
			to === phone(1) ? "delivered" : "failed",
		),
	);
	const apply = (batch: BusEvent[]) =>
		transaction(sql, (sql) => applyMessageOutcomes(sql, batch));
	await apply(events.slice(0, 1));
	await makeDue(sql, campaign.id);
	await runAll(ctx);
	await apply(events);
	await apply(events);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "completed_with_errors",
		audience: 2,
		accepted: 2,
		delivered: 1,
		failed: 1,
	});
});

test("a campaign whose numbers were given twice is completed once all of them have their message", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const given = [phone(1), phone(1), "0612300001", phone(2)];
	const { id } = await createCampaign(sql, organizationId, {
		recipients: given,
	});
	await runAll(contextWith(sql, messaging));
	const events = [...messaging.accepted].map(([to, { messageId }]) =>
		outcome({ id, organizationId }, to, messageId, "delivered"),
	);
	await transaction(sql, (sql) => applyMessageOutcomes(sql, events));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "completed",
		audience: 4,
		delivered: 2,
		skipped: 2,
		duplicates: 2,
	});
});

test("a message that was taken back counts once as failed, with its reason, and completes the campaign", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(1), phone(2)],
	});
	await runAll(contextWith(sql, messaging));
	const events = [...messaging.accepted].map(([to, { messageId }]) =>
		outcome(
			{ id, organizationId },
			to,
			messageId,
			to === phone(1) ? "canceled" : "delivered",
		),
	);
	for (let times = 0; times < 2; times++)
		await transaction(sql, (sql) => applyMessageOutcomes(sql, events));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "completed_with_errors",
		accepted: 2,
		delivered: 1,
		failed: 1,
	});
	const recipients = await sql`
		select phone, reason
		from recipients
		where campaign_id = ${id}
		and state = 'failed'
	`;
	expect([...recipients]).toEqual([{ phone: phone(1), reason: "canceled" }]);
});

test("an outcome of a status that nobody knows is refused, and counts for nothing", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(1)],
	});
	await runAll(contextWith(sql, messaging));
	const { messageId = "" } = messaging.accepted.get(phone(1)) ?? {};
	const unknown = outcome({ id, organizationId }, phone(1), messageId, "read");
	const applied = transaction(sql, (sql) =>
		applyMessageOutcomes(sql, [unknown]),
	);
	await expect(applied).rejects.toThrow("status is unknown");
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "sending",
		accepted: 1,
		failed: 0,
	});
});

test("an event that comes again counts once, that of a message which no campaign sent not at all; neither leaves a trace", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(1), phone(2)],
	});
	await runAll(contextWith(sql, messaging));
	const wire = await testEventBus();
	const common = { sql, bus: wire.bus, log: silentLog };
	for (const group of consumerGroups(() => {}, 50))
		await startConsumer({
			...group,
			...common,
			metrics: createMetrics("test"),
		});
	const outcomeFor = (to: string) =>
		outcome(
			{ id, organizationId },
			to,
			messaging.accepted.get(to)?.messageId ?? "",
			"delivered",
		);
	const [first, second] = [outcomeFor(phone(1)), outcomeFor(phone(2))];
	const foreign = outcome(
		{ id: "", organizationId },
		phone(1),
		uuidv7(),
		"delivered",
	);
	await wire.bus.publish([first, foreign]);
	await wire.bus.publish([first, second]);
	await eventually(async () =>
		expect(await readCampaign(sql, organizationId)).toMatchObject({
			status: "completed",
			accepted: 2,
			delivered: 2,
		}),
	);
	expect(await sql`select event_id from inbox`).toHaveLength(0);
	await wire.drop();
});
