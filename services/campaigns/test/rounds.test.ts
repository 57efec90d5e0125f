import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { beforeEach, expect, test } from "vitest";
import type { Context } from "../src/context.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
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

const large = uuidv7();
const small = uuidv7();
let messaging: FakeMessaging;
let ctx: Context;

beforeEach(async () => {
	await sql`delete from recipient_imports`;
	await sql`delete from campaigns`;
	messaging = fakeMessaging();
	ctx = contextWith(sql, messaging);
});

const acceptedOf = async (organizationId: string) =>
	(await readCampaign(sql, organizationId)).accepted;

test("a campaign with many recipients does not hold up another one that is due, and ends in its next round", async () => {
	await createCampaign(sql, large, { recipients: phones(10_500) });
	await createCampaign(sql, small, { recipients: [phone(99_999)] });
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(large)).toBe(10_000);
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(small)).toBe(1);
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(large)).toBe(10_500);
});

test("a campaign whose audience takes many steps to copy does not hold up another one, and copies all of it", async () => {
	const { id } = await createCampaign(sql, large, {});
	await sql`
		insert into recipient_imports (campaign_id, position, phones)
		select ${id}, nth - 1, array[phone]
		from unnest(${phones(25)}::text[]) with ordinality as given (phone, nth)
	`;
	await createCampaign(sql, small, { recipients: [phone(99_999)] });
	await runDueCampaign(ctx, neverStops);
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(small)).toBe(1);
	expect(await acceptedOf(large)).toBe(0);
	await runAll(ctx);
	expect(await acceptedOf(large)).toBe(25);
});

test("an organization that has many campaigns due, and one under way, does not hold up that of another", async () => {
	for (let nth = 0; nth < 3; nth++)
		await createCampaign(sql, large, { recipients: [phone(nth)] });
	await createCampaign(sql, small, { recipients: [phone(99_999)] });
	const underWay: string[] = [];
	const run = () => runDueCampaign(ctx, neverStops, underWay);
	messaging.meanwhile = async () => {
		messaging.meanwhile = async () => {};
		await run();
		expect(await acceptedOf(small)).toBe(1);
	};
	await run();
	expect([...messaging.accepted.keys()]).toEqual([phone(0), phone(99_999)]);
	await run();
	await run();
	expect(messaging.accepted.size).toBe(4);
	expect(underWay).toEqual([]);
});

test("a batch whose response is late holds up no other of its round", async () => {
	await createCampaign(sql, large, { recipients: phones(10_000) });
	let isFirst = true;
	messaging.meanwhile = async () => {
		if (!isFirst) return;
		isFirst = false;
		await eventually(async () =>
			expect(await acceptedOf(large)).toBe(10_000 - 500),
		);
	};
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(large)).toBe(10_000);
});

test("a batch whose response is lost is sent again, and the results of the others in its round are stored", async () => {
	const { id } = await createCampaign(sql, large, {
		recipients: phones(10_000),
	});
	messaging.loseNextResponse = true;
	await runDueCampaign(ctx, neverStops);
	const before = await acceptedOf(large);
	expect(before).toBe(500 * (messaging.calls.length - 1));
	expect(before).toBeLessThan(9_500);
	await makeDue(sql, id);
	await runDueCampaign(ctx, neverStops);
	expect(await acceptedOf(large)).toBe(10_000);
	expect(messaging.accepted.size).toBe(10_000);
});
