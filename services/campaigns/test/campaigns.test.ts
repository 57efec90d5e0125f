import type { Db } from "@airtower/platform/database";
import { transaction } from "@airtower/platform/database";
import type { BusEvent } from "@airtower/platform/event-bus";
import { uuidv7 } from "@airtower/platform/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { silentLog } from "@airtower/platform/testing/log";
import { topics } from "@airtower/platform/topics";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMessageOutcomes } from "../src/consumers/message-outcomes.ts";
import type { CampaignsContext } from "../src/context.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrationSets } from "../src/migrations.ts";
import {
	insertCampaign,
	listCampaigns,
	wakePausedCampaigns,
} from "../src/store/campaigns.ts";
import { insertContact } from "../src/store/contacts.ts";
import { insertRecipientImports } from "../src/store/recipient-imports.ts";
import {
	type FakeMessaging,
	fakeMessaging,
	SENDER_ID,
} from "./fake-messaging.ts";

let database: TestDatabase;
let sql: Db;

beforeAll(async () => {
	database = await testDatabase(migrationSets);
	sql = database.sql;
});

afterAll(() => database.drop());

const neverStops = new AbortController().signal;

function contextWith(messaging: FakeMessaging): CampaignsContext {
	return {
		sql,
		log: silentLog,
		clock: () => new Date(),
		messaging: messaging.client,
		pokeCampaigns: () => {},
	};
}

const phone = (index: number) => `+3361234${String(index).padStart(4, "0")}`;

async function createCampaign(
	organizationId: string,
	audience: { tags?: string[]; match?: "all" | "any"; recipients?: string[] },
	scheduledAt?: Date,
) {
	return transaction(sql, async (sql) => {
		const campaign = await insertCampaign(sql, {
			id: uuidv7(),
			organizationId,
			name: "Sale",
			messageTemplate: "Hi {{name|you}}",
			senderId: SENDER_ID,
			senderName: "Airtower",
			audienceTags: audience.tags ?? [],
			audienceTagMatchMode: audience.match ?? "all",
			defaultCountry: "FR",
			scheduledAt,
		});
		await insertRecipientImports(sql, campaign.id, audience.recipients ?? []);
		return campaign;
	});
}

async function readCampaign(organizationId: string) {
	const [campaign] = await listCampaigns(sql, organizationId, {
		limit: 1,
		after: undefined,
	});
	if (campaign === undefined) throw new Error("no campaign");
	return campaign;
}

/** Runs due campaigns, past any pause between tries, until none is left. */
async function runAll(ctx: CampaignsContext): Promise<void> {
	for (let rounds = 0; rounds < 20; rounds++) {
		if ((await runDueCampaign(ctx, neverStops)) === 0) return;
	}
}

async function makeDue(campaignId: string): Promise<void> {
	await sql`update campaigns set due_at = now(), lease_until = null where id = ${campaignId}`;
}

async function addContacts(
	organizationId: string,
	count: number,
	tagsOf: (index: number) => string[],
) {
	await transaction(sql, async (sql) => {
		for (let index = 0; index < count; index++)
			await insertContact(sql, organizationId, {
				name: `Name ${index}`,
				phone: phone(index),
				email: null,
				tags: tagsOf(index),
			});
	});
}

function outcome(
	campaignId: string,
	to: string,
	messageId: string,
	status: string,
): BusEvent {
	const payload = toBinary(
		MessageOutcomeSchema,
		create(MessageOutcomeSchema, {
			messageId,
			campaignId,
			to,
			status,
			channel: "sms",
			errorCode: status === "failed" ? "undeliverable" : "",
		}),
	);
	return {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		type: "message.outcome",
		key: messageId,
		organizationId: uuidv7(),
		payload,
	};
}

test("every contact with all of the tags is sent to once, by name", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await addContacts(organizationId, 30, (index) =>
		index % 3 === 0 ? ["gold", "vip"] : ["gold"],
	);
	await createCampaign(organizationId, { tags: ["gold", "vip"] });
	await runAll(contextWith(messaging));
	expect([...messaging.accepted.keys()]).toEqual(
		Array.from({ length: 10 }, (_, index) => phone(index * 3)),
	);
	expect(messaging.accepted.get(phone(3))?.body).toBe("Hi Name 3");
	expect(await readCampaign(organizationId)).toMatchObject({
		status: "sending",
		audience: 10,
		accepted: 10,
	});
});

test("every contact with any of the tags is sent to once, also with both, and no other organization's", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await addContacts(
		organizationId,
		9,
		(index) => [["a"], ["b"], ["a", "b"]][index % 3] ?? [],
	);
	await addContacts(uuidv7(), 20, () => ["a", "b"]);
	await createCampaign(organizationId, { tags: ["a", "b"], match: "any" });
	await runAll(contextWith(messaging));
	expect(messaging.accepted.size).toBe(9);
});

test("a lost answer repeats nobody and skips nobody", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const recipients = Array.from({ length: 1_200 }, (_, index) => phone(index));
	const campaign = await createCampaign(organizationId, { recipients });
	const ctx = contextWith(messaging);
	messaging.loseNextAnswer = true;
	await runDueCampaign(ctx, neverStops);
	await makeDue(campaign.id);
	await runAll(ctx);
	expect([...messaging.accepted.keys()].sort()).toEqual(recipients);
	expect(await readCampaign(organizationId)).toMatchObject({
		audience: 1_200,
		accepted: 1_200,
	});
});

test("an invalid number and one given twice are skipped, each with its reason", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await createCampaign(organizationId, {
		recipients: [phone(1), "0612340001", "nonsense", phone(2), phone(2)],
	});
	messaging.blocked = phone(2);
	await runAll(contextWith(messaging));
	expect(await readCampaign(organizationId)).toMatchObject({
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

test("exhausted quota pauses at exactly the units there are, and a top-up resumes", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging(700);
	const recipients = Array.from({ length: 2_000 }, (_, index) => phone(index));
	await createCampaign(organizationId, { recipients });
	const ctx = contextWith(messaging);
	await runAll(ctx);
	expect(await readCampaign(organizationId)).toMatchObject({
		status: "paused",
		statusReason: "quota_exhausted",
		accepted: 700,
		skipped: 0,
	});
	messaging.quota = 5_000;
	expect(await wakePausedCampaigns(sql, [organizationId])).toBe(1);
	await runAll(ctx);
	expect(messaging.accepted.size).toBe(2_000);
	expect(await readCampaign(organizationId)).toMatchObject({
		status: "sending",
		accepted: 2_000,
	});
});

test("outcomes count once each, also when they come first or twice, and the last one completes", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	const campaign = await createCampaign(organizationId, {
		recipients: [phone(1), phone(2)],
	});
	const ctx = contextWith(messaging);
	messaging.loseNextAnswer = true;
	await runDueCampaign(ctx, neverStops);
	const events = [phone(1), phone(2)].map((to) =>
		outcome(
			campaign.id,
			to,
			messaging.accepted.get(to)?.messageId ?? "",
			to === phone(1) ? "delivered" : "failed",
		),
	);
	const apply = (batch: BusEvent[]) =>
		transaction(sql, (sql) => applyMessageOutcomes(sql, batch));
	await apply(events.slice(0, 1));
	await makeDue(campaign.id);
	await runAll(ctx);
	await apply(events);
	await apply(events);
	expect(await readCampaign(organizationId)).toMatchObject({
		status: "completed_with_errors",
		audience: 2,
		accepted: 2,
		delivered: 1,
		failed: 1,
	});
});

test("a campaign without an audience fails, and a scheduled one waits for its time", async () => {
	const organizationId = uuidv7();
	const ctx = contextWith(fakeMessaging());
	await createCampaign(organizationId, { tags: ["nobody"] });
	await runAll(ctx);
	expect(await readCampaign(organizationId)).toMatchObject({
		status: "failed",
		statusReason: "no_audience",
	});
	const later = await createCampaign(
		organizationId,
		{ tags: ["nobody"] },
		new Date(Date.now() + 3_600_000),
	);
	await runAll(ctx);
	expect(await readCampaign(organizationId)).toMatchObject({
		id: later.id,
		status: "scheduled",
	});
});

test("several workers on one campaign repeat nobody", async () => {
	const organizationId = uuidv7();
	const messaging = fakeMessaging();
	await createCampaign(organizationId, {
		recipients: Array.from({ length: 3_000 }, (_, index) => phone(index)),
	});
	const ctx = contextWith(messaging);
	await Promise.all([runAll(ctx), runAll(ctx), runAll(ctx)]);
	expect(messaging.accepted.size).toBe(3_000);
});
