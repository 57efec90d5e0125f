import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { expect, test } from "vitest";
import { applyMessageOutcomes } from "../src/consumers/index.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { cancelByRequest } from "../src/store/campaign-changes.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	addContacts,
	contextWith,
	createCampaign,
	neverStops,
	outcome,
	ownDatabase,
	phone,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const sql = await ownDatabase();

const national = (index: number) => phone(index).replace("+33", "0");

/** Sends a campaign to these and tells the outcome of the first ones. */
async function sentTo(
	organizationId: string,
	recipients: string[],
	told = recipients.length,
	fields: Parameters<typeof createCampaign>[3] = {},
) {
	const messaging = fakeMessaging();
	const audience = { recipients };
	const campaign = await createCampaign(sql, organizationId, audience, fields);
	const ctx = contextWith(sql, messaging);
	await runAll(ctx);
	const tell = (to: string) =>
		transaction(sql, (sql) =>
			applyMessageOutcomes(sql, [
				outcome(
					campaign,
					to,
					messaging.accepted.get(to)?.messageId ?? "",
					"delivered",
				),
			]),
		);
	for (const to of recipients.slice(0, told)) await tell(to);
	await sql`update campaigns set due_at = now() where completed_at is null`;
	await runAll(ctx);
	return { campaign, tell };
}

test("erasing a number leaves it and its name in no table, and the counts as they are", async () => {
	const organizationId = uuidv7();
	await addContacts(
		sql,
		organizationId,
		3,
		() => ["vip"],
		(index) => `Person ${index} of ours`,
	);
	await sentTo(organizationId, [phone(1), phone(2)]);
	const before = await readCampaign(sql, organizationId);
	expect(before).toMatchObject({ status: "completed", delivered: 2 });
	const scheduledAt = new Date(Date.now() + 3_600_000);
	const recipients = [national(1), national(2)];
	await createCampaign(sql, organizationId, { recipients }, { scheduledAt });
	await sql`
		insert into idempotency_keys (organization_id, key, fingerprint, response)
		values (${organizationId}, 'k', '', ${Buffer.from(`contact ${phone(1)}`)})
	`;
	const erased = await eraseAll(sql, erasableTables, { phone: phone(1) });
	expect(erased).toEqual({ erased: 4, pending: 0 });
	for (const gone of [phone(1), national(1), "Person 1 of ours"])
		expect(await tablesWith(sql, gone)).toEqual([]);
	expect(await tablesWith(sql, phone(2))).toEqual(["contacts", "recipients"]);
	const [campaign] = await sql`
		select audience, delivered
		from campaigns
		where id = ${before.id}
	`;
	expect(campaign).toEqual({ audience: 2, delivered: 2 });
	const states = await sql`
		select state from recipients where campaign_id = ${before.id}
	`;
	expect(states).toEqual([{ state: "delivered" }, { state: "delivered" }]);
});

test("a list that holds what an erased number may be called hinders no erasure", async () => {
	const organizationId = uuidv7();
	await sentTo(organizationId, [phone(41)]);
	const [row] = await sql<{ sequence: number }[]>`
		select sequence
		from recipients
		where phone = ${phone(41)}
	`;
	const nextOnes = Array.from(
		{ length: 10 },
		(_, nth) => `erased-${(row?.sequence ?? 0) + nth}`,
	);
	await sentTo(organizationId, [phone(42), ...nextOnes], 1);
	const erased = await eraseAll(sql, erasableTables, { phone: phone(42) });
	expect(erased).toEqual({ erased: 1, pending: 0 });
	expect(await tablesWith(sql, phone(42))).toEqual([]);
});

test("a recipient who was sent to keeps the number until the outcome, then it goes", async () => {
	const organizationId = uuidv7();
	const given = [phone(11), phone(12), phone(11)];
	const { tell } = await sentTo(organizationId, given, 0);
	const erase = () => eraseAll(sql, erasableTables, { phone: phone(11) });
	// What it was given for again is not under way.
	expect(await erase()).toEqual({ erased: 1, pending: 1 });
	await tell(phone(11));
	expect(await erase()).toEqual({ erased: 1, pending: 0 });
	expect(await tablesWith(sql, phone(11))).toEqual([]);
	await tell(phone(12));
	await sql`update campaigns set due_at = now() where organization_id = ${organizationId}`;
	await runAll(contextWith(sql, fakeMessaging()));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "completed",
		delivered: 2,
	});
});

test("a recipient to whom a campaign had sent when it was cancelled keeps the number until the outcome, which counts", async () => {
	const organizationId = uuidv7();
	const { campaign, tell } = await sentTo(organizationId, [phone(13)], 0);
	await transaction(sql, (sql) =>
		cancelByRequest(sql, organizationId, campaign.id),
	);
	await runAll(contextWith(sql, fakeMessaging()));
	const erase = () => eraseAll(sql, erasableTables, { phone: phone(13) });
	expect(await erase()).toEqual({ erased: 0, pending: 1 });
	await tell(phone(13));
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		status: "cancelled",
		accepted: 1,
		delivered: 1,
	});
	expect(await erase()).toEqual({ erased: 1, pending: 0 });
	expect(await tablesWith(sql, phone(13))).toEqual([]);
});

test("a recipient who was not sent to yet is skipped, and the campaign ends without", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const ctx = contextWith(sql, messaging);
	const campaign = await createCampaign(sql, organizationId, {
		recipients: [phone(21), phone(22)],
	});
	await sql`
		insert into recipients (campaign_id, phone)
		select id, unnest(array[${phone(21)}, ${phone(22)}])
		from campaigns
		where id = ${campaign.id}
	`;
	await sql`
		update campaigns
		set status = 'sending', snapshot_done = true, audience = 2
		where id = ${campaign.id}
	`;
	const erased = await eraseAll(sql, erasableTables, { phone: phone(21) });
	expect(erased).toEqual({ erased: 2, pending: 0 });
	await runDueCampaign(ctx, neverStops);
	expect([...messaging.accepted.keys()]).toEqual([phone(22)]);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		skipped: 1,
		accepted: 1,
		audience: 2,
	});
});

test("erasing an organization leaves no number and no name of its own, and those of others", async () => {
	const [own, foreign] = [uuidv7(), uuidv7()];
	for (const organizationId of [own, foreign])
		await addContacts(
			sql,
			organizationId,
			2,
			() => [],
			() => `Contact of ${organizationId}`,
		);
	const texts = { name: `Sale of ${own}`, messageTemplate: `Only at ${own}!` };
	await sentTo(own, [phone(31), phone(32)], 2, texts);
	await sentTo(foreign, [phone(31)], 1, { name: `Sale of ${foreign}` });
	const subject = { organizationId: own };
	expect(await eraseAll(sql, erasableTables, subject)).toMatchObject({
		pending: 0,
	});
	const texted = [texts.name, texts.messageTemplate];
	for (const gone of [`Contact of ${own}`, phone(32), ...texted])
		expect(await tablesWith(sql, gone)).toEqual([]);
	expect(await tablesWith(sql, `Sale of ${foreign}`)).toEqual(["campaigns"]);
	expect(await tablesWith(sql, `Contact of ${foreign}`)).toEqual(["contacts"]);
});

test("a campaign of an erased organization keeps its text while it is under way, and is pending", async () => {
	const organizationId = uuidv7();
	const scheduledAt = new Date(Date.now() + 3_600_000);
	const messageTemplate = `Tomorrow at ${organizationId}`;
	const fields = { scheduledAt, messageTemplate };
	await createCampaign(sql, organizationId, { recipients: [] }, fields);
	const erase = () => eraseAll(sql, erasableTables, { organizationId });
	expect(await erase()).toMatchObject({ pending: 1 });
	await sql`
		update campaigns
		set status = 'cancelled', completed_at = now(), due_at = null
		where organization_id = ${organizationId}
	`;
	expect(await erase()).toMatchObject({ erased: 1, pending: 0 });
	expect(await tablesWith(sql, messageTemplate)).toEqual([]);
});
