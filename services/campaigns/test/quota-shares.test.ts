import { type Db, transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { applyAccountChanges } from "../src/consumers/account-changes.ts";
import { applyMessageOutcomes } from "../src/consumers/index.ts";
import type { Context } from "../src/context.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import {
	cancelByRequest,
	resumeByRequest,
} from "../src/store/campaign-changes.ts";
import { liftShares } from "../src/store/quota-shares.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	accountChange,
	contextWith,
	createCampaign,
	endCalls,
	makeDue,
	neverStops,
	outcome,
	phone,
	phones,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

let database: TestDatabase;
let sql: Db;
let organizationId: string;
let messaging: FakeMessaging;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	sql = database.sql;
});

afterAll(() => database.drop());

beforeEach(async () => {
	await sql`delete from campaigns`;
	organizationId = uuidv7();
	messaging = fakeMessaging(0);
	ctx = contextWith(sql, messaging);
});

/** Grants quota, tells campaigns of it, and runs them as long as they are due. */
async function grant(units: number, sharePercent = 50): Promise<void> {
	messaging.quota += units;
	const value = { balance: BigInt(messaging.quota), units: BigInt(units) };
	const event = accountChange(organizationId, { case: "quotaGranted", value });
	await transaction(sql, (sql) =>
		applyAccountChanges(sql, [event], sharePercent),
	);
	await runAll(ctx);
}

const read = () => readCampaign(sql, organizationId);

/** A campaign to so many, which waits for quota after the units there are. */
async function starved(count: number): Promise<string> {
	const recipients = phones(count);
	const { id } = await createCampaign(sql, organizationId, { recipients });
	await runAll(ctx);
	expect(await read()).toMatchObject({ statusReason: "quota_exhausted" });
	return id;
}

test("a campaign that waits for quota uses half of what is granted, and leaves the rest to single sends", async () => {
	const id = await starved(2_000);
	await grant(1_001);
	expect(await read()).toMatchObject({
		status: "paused",
		statusReason: "quota_share_used",
		accepted: 500,
	});
	expect(messaging.quota).toBe(501);
	await makeDue(sql, id);
	await runAll(ctx);
	expect(messaging.quota).toBe(501);
	messaging.quota = 0;
	await grant(100);
	expect(messaging.quota).toBe(50);
	expect((await read()).accepted).toBe(550);
});

test("the share is a setting: all of it with 100 %", async () => {
	await starved(1_000);
	await grant(400, 25);
	expect((await read()).accepted).toBe(100);
	await grant(200, 100);
	expect((await read()).accepted).toBe(300);
	expect(messaging.quota).toBe(300);
});

test("what a refusal or a repetition did not use of the share is used by others", async () => {
	const id = await starved(30);
	messaging.loseNextResponse = true;
	messaging.blocked = phone(5);
	await grant(20);
	for (let round = 0; round < 2; round++) {
		await makeDue(sql, id);
		await runAll(ctx);
	}
	expect((await read()).accepted).toBe(10);
	expect(messaging.quota).toBe(10);
});

test.each(["loseNextCall", "loseNextResponse"] as const)(
	"after %s the share, the quota and the recipients add up to the unit",
	async (fate) => {
		const id = await starved(2_000);
		for (let round = 1; round <= 4; round++) {
			messaging[fate] = true;
			await grant(200);
			await makeDue(sql, id);
			await runAll(ctx);
			expect((await read()).accepted).toBe(100 * round);
			expect(messaging.quota).toBe(100 * round);
			expect(messaging.accepted.size).toBe(100 * round);
			expect(await leftInShare()).toBe(0);
		}
		expect(await sql`select from sent_batches`).toHaveLength(0);
	},
);

test("what was sent is settled before anything else is, also when the share is used up", async () => {
	const id = await starved(600);
	messaging.loseNextResponse = true;
	await grant(200);
	await sql`update quota_shares set units = 0`;
	await makeDue(sql, id);
	await runAll(ctx);
	expect(messaging.accepted.size).toBeGreaterThan(0);
	expect(await read()).toMatchObject({
		accepted: messaging.accepted.size,
		status: "paused",
		statusReason: "quota_share_used",
	});
});

test("a campaign that is cancelled counts what it had sent without a response", async () => {
	const recipients = phones(700);
	const { id } = await createCampaign(sql, organizationId, { recipients });
	messaging.quota = 1_000;
	messaging.loseNextResponse = true;
	await runDueCampaign(ctx, neverStops);
	const sentBefore = messaging.accepted.size;
	await transaction(sql, (sql) => cancelByRequest(sql, organizationId, id));
	await makeDue(sql, id);
	await runAll(ctx);
	expect(await read()).toMatchObject({ skipped: 0 });
	await endCalls(sql, id);
	await runAll(ctx);
	const { accepted, skipped } = await read();
	expect(messaging.accepted.size).toBe(sentBefore);
	expect(accepted).toBe(sentBefore);
	expect(accepted + skipped).toBe(700);
});

async function leftInShare(): Promise<number> {
	const [share] = await sql<{ units: number }[]>`
		select units
		from quota_shares
		where organization_id = ${organizationId}
	`;
	return share?.units ?? 0;
}

test("a campaign that never ran out of quota shares nothing", async () => {
	messaging.quota = 10;
	const recipients = phones(5);
	await createCampaign(sql, organizationId, { recipients });
	await grant(2);
	expect((await read()).accepted).toBe(5);
});

test("the sharing ends with the campaign that waited, and others go on with all there is", async () => {
	const first = await starved(4);
	const recipients = phones(9).slice(4);
	const second = await createCampaign(sql, organizationId, { recipients });
	await runAll(ctx);
	await sql`update campaigns set starved = false where id = ${second.id}`;
	await grant(10);
	expect(messaging.quota).toBeLessThanOrEqual(5);
	await makeDue(sql, first);
	await grant(10);
	await runAll(ctx);
	expect(messaging.quota).toBe(11);
	expect((await read()).accepted).toBe(5);
});

test("the sharing ends too where outcomes come before the response to the last batch was asked for again", async () => {
	const id = await starved(3);
	// The first batch is one recipient; the response to the second is lost.
	let calls = 0;
	messaging.meanwhile = async () => {
		if (++calls === 2) messaging.loseNextResponse = true;
	};
	await grant(20);
	await makeDue(sql, id);
	await runAll(ctx);
	const delivered = [...messaging.accepted].map(([to, { messageId }]) =>
		outcome({ id, organizationId }, to, messageId, "delivered"),
	);
	await transaction(sql, (sql) => applyMessageOutcomes(sql, delivered));
	await endCalls(sql, id);
	await makeDue(sql, id);
	await runAll(ctx);
	expect(await read()).toMatchObject({ status: "completed", delivered: 3 });
	expect(await sql`select from sent_batches`).toHaveLength(0);
	const shares =
		await sql`select from quota_shares where organization_id = ${organizationId}`;
	expect(shares).toHaveLength(0);
	expect(messaging.quota).toBe(17);
	const recipients = phones(20).slice(3);
	await createCampaign(sql, organizationId, { recipients });
	await runAll(ctx);
	expect(messaging.quota).toBe(0);
});

test("a campaign that is resumed uses all the quota there is", async () => {
	const id = await starved(20);
	await grant(20);
	expect((await read()).accepted).toBe(10);
	await transaction(sql, async (sql) => {
		await resumeByRequest(sql, organizationId, id);
		await liftShares(sql, [organizationId]);
	});
	await runAll(ctx);
	expect(await read()).toMatchObject({ status: "sending", accepted: 20 });
});

test("who waits for a route since before the quota ran out is paid for from the share too, and single sends keep theirs", async () => {
	messaging.mustWait = () => true;
	const list = phones(1_200);
	const waiting = await createCampaign(sql, organizationId, {
		recipients: list.slice(0, 1_000),
	});
	for (let round = 0; round < 2; round++) {
		await makeDue(sql, waiting.id);
		await runAll(ctx);
	}
	messaging.mustWait = () => false;
	const recipients = list.slice(1_000);
	await createCampaign(sql, organizationId, { recipients });
	await runAll(ctx);
	await grant(300);
	await makeDue(sql, waiting.id);
	await runAll(ctx);
	expect(messaging.accepted.size).toBe(150);
	expect(messaging.quota).toBe(150);
	await grant(3_000);
	await makeDue(sql, waiting.id);
	await runAll(ctx);
	expect(messaging.accepted.size).toBe(1_200);
});

test("what a batch has reserved of a sharing that is over adds nothing to the next one", async () => {
	const id = await starved(20);
	messaging.mustWait = () => true;
	await grant(60);
	await makeDue(sql, id);
	await runAll(ctx);
	const lift = () =>
		transaction(sql, (sql) => liftShares(sql, [organizationId]));
	await lift();
	messaging.quota = 0;
	messaging.mustWait = (to) => to < phone(20);
	const recipients = phones(40).slice(20);
	await createCampaign(sql, organizationId, { recipients });
	await runAll(ctx);
	await grant(2);
	await transaction(sql, (sql) => cancelByRequest(sql, organizationId, id));
	await endCalls(sql, id);
	await runAll(ctx);
	expect((await leftInShare()) + messaging.accepted.size).toBe(1);
});
