import { type Db, transaction } from "@airtower/platform/database/database";
import { setRetention } from "@airtower/platform/privacy/retentions";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { tablesWith } from "@airtower/platform/testing/privacy";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetRecipients } from "../src/jobs/forget-recipients.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import { cancelByRequest } from "../src/store/campaign-changes.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	addContacts,
	contextWith,
	createCampaign,
	endCalls,
	neverStops,
	phone,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

let database: TestDatabase;
let sql: Db;
let organizationId: string;

beforeEach(async () => {
	database = await testDatabase(migrations);
	sql = database.sql;
	organizationId = uuidv7();
	await addContacts(
		sql,
		organizationId,
		3,
		() => ["vip"],
		(index) => `Person ${index} of ours`,
	);
	const audience = { tags: ["vip"] };
	const fields = { messageTemplate: TEXT };
	await createCampaign(sql, organizationId, audience, fields);
	await runAll(contextWith(sql, fakeMessaging()));
	await sql`delete from contacts`;
});

afterEach(() => database.drop());

const NAME = "Person 1 of ours";
const TEXT = "Your appointment is on Friday.";

/** The campaign ended so long ago. */
async function endBefore(age: string): Promise<void> {
	await sql`
		update campaigns
		set status = 'completed', completed_at = now() - ${age}::interval, due_at = null
	`;
}

async function forgetAll(): Promise<number> {
	const ctx = contextWith(sql, fakeMessaging());
	let campaigns = 0;
	for (;;) {
		const forgotten = await forgetRecipients(ctx, neverStops);
		if (forgotten === 0) return campaigns;
		campaigns += forgotten;
	}
}

test("numbers that were given twice go with those that they repeat", async () => {
	const recipients = [phone(7), phone(7), "no number", "no number"];
	await createCampaign(sql, uuidv7(), { recipients });
	await runAll(contextWith(sql, fakeMessaging()));
	expect(await tablesWith(sql, phone(7))).toEqual([
		"recipient_duplicates",
		"recipients",
	]);
	await endBefore("14 months");
	await forgetAll();
	for (const gone of [phone(7), "no number"])
		expect(await tablesWith(sql, gone)).toEqual([]);
});

test("a campaign's text and the names of its recipients go 30 days after the campaign's end, their numbers after 13 months; the counts stay", async () => {
	await endBefore("29 days");
	expect(await forgetAll()).toBe(0);
	expect(await tablesWith(sql, NAME)).toEqual(["recipients"]);
	expect(await tablesWith(sql, TEXT)).toEqual(["campaigns"]);
	await endBefore("31 days");
	expect(await forgetAll()).toBe(1);
	for (const gone of [NAME, TEXT])
		expect(await tablesWith(sql, gone)).toEqual([]);
	expect(await tablesWith(sql, phone(1))).toEqual(["recipients"]);
	await endBefore("14 months");
	expect(await forgetAll()).toBe(1);
	expect(await tablesWith(sql, phone(1))).toEqual([]);
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		audience: 3,
		accepted: 3,
	});
	expect(await forgetAll()).toBe(0);
});

test("an organization's own retention comes first, longer or shorter", async () => {
	await setRetention(sql, organizationId, 7);
	await setRetention(sql, uuidv7(), 1);
	await endBefore("6 days");
	expect(await forgetAll()).toBe(0);
	await endBefore("8 days");
	await setRetention(sql, organizationId, 60);
	expect(await forgetAll()).toBe(0);
	await setRetention(sql, organizationId, 7);
	expect(await forgetAll()).toBe(1);
	expect(await tablesWith(sql, NAME)).toEqual([]);
});

test("a campaign that has not ended keeps its recipients, and one that was cancelled does not keep the list that it was given", async () => {
	await sql`update campaigns set created_at = now() - interval '5 years'`;
	expect(await forgetAll()).toBe(0);
	const scheduledAt = new Date(Date.now() + 3_600_000);
	const recipients = ["0612345678"];
	const { id } = await createCampaign(
		...([sql, uuidv7(), { recipients }, { scheduledAt }] as const),
	);
	await sql`
		update campaigns
		set status = 'cancelled', completed_at = now() - interval '14 months', due_at = null
		where id = ${id}
	`;
	expect(await tablesWith(sql, "0612345678")).toEqual(["recipient_imports"]);
	await forgetAll();
	expect(await tablesWith(sql, "0612345678")).toEqual([]);
});

test("a cancelled campaign keeps its text and names until it knows to whom its left batches were sent", async () => {
	const own = uuidv7();
	await setRetention(sql, own, 0);
	await addContacts(sql, own, 2, () => ["vip"]);
	const { id } = await createCampaign(sql, own, { tags: ["vip"] });
	const messaging = fakeMessaging();
	messaging.loseNextResponse = true;
	const ctx = contextWith(sql, messaging);
	await runDueCampaign(ctx, neverStops);
	await transaction(sql, (sql) => cancelByRequest(sql, own, id));
	expect(await forgetAll()).toBe(0);
	await endCalls(sql, id);
	await runAll(ctx);
	expect(await readCampaign(sql, own)).toMatchObject({
		status: "cancelled",
		skipped: 0,
		accepted: 2,
	});
	expect(await forgetAll()).toBe(1);
	expect(await tablesWith(sql, "Hi {{name|you}}")).toEqual([]);
});
