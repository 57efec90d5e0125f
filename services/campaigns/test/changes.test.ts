import { transaction } from "@airtower/platform/database/database";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { applyMessageOutcomes } from "../src/consumers/index.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import { rpcRoutes } from "../src/rpc/index.ts";
import { wakePausedCampaigns } from "../src/store/campaign-progress.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	endCalls,
	neverStops,
	outcome,
	phone,
	phones,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let server: TestRpcServer;
let campaigns: Client<typeof CampaignsService>;
let messaging: FakeMessaging;
let organizationId: string;

beforeAll(async () => {
	database = await testDatabase(migrations);
	const ctx = contextWith(database.sql, fakeMessaging());
	server = await serveRoutes(
		"campaigns",
		rpcRoutes(ctx, () => {}),
		{ auditDatabase: database.sql },
	);
	campaigns = server.client(CampaignsService);
});

afterAll(async () => {
	await server.close();
	await database.drop();
});

beforeEach(async () => {
	await database.sql`delete from recipient_imports`;
	await database.sql`delete from campaigns`;
	messaging = fakeMessaging();
	organizationId = uuidv7();
});

const run = () => runAll(contextWith(database.sql, messaging));
const read = () => readCampaign(database.sql, organizationId);

async function newCampaign(
	count: number,
	fields: { scheduledAt?: Date } = {},
): Promise<string> {
	const audience = { recipients: phones(count) };
	const { sql } = database;
	return (await createCampaign(sql, organizationId, audience, fields)).id;
}

async function change(campaignId: string, change: string): Promise<string> {
	const request = { organizationId, campaignId, change };
	const { campaign } = await campaigns.changeCampaign(request);
	return campaign?.status ?? "";
}

async function refusalOf(campaignId: string, action: string): Promise<string> {
	const outcome = await change(campaignId, action).catch(domainErrorFrom);
	return typeof outcome === "string" ? outcome : (outcome?.reason ?? "");
}

/** Changes the campaign while its first batch is on its way, and runs it as long as it is due. */
async function changeInFlight(id: string, action: string): Promise<void> {
	let isFirst = true;
	messaging.meanwhile = async () => {
		if (!isFirst) return;
		isFirst = false;
		await change(id, action);
	};
	await runDueCampaign(contextWith(database.sql, messaging), neverStops);
}

test("a paused campaign sends to nobody until it is resumed, and then once to each", async () => {
	const id = await newCampaign(4_000);
	await changeInFlight(id, "pause");
	const { accepted } = await read();
	expect(accepted).toBeLessThan(4_000);
	expect(await read()).toMatchObject({
		status: "paused",
		statusReason: "requested",
	});
	await wakePausedCampaigns(database.sql, [organizationId]);
	await run();
	expect((await read()).accepted).toBe(accepted);
	expect(await change(id, "resume")).toBe("sending");
	await run();
	expect(await read()).toMatchObject({
		status: "sending",
		statusReason: null,
		accepted: 4_000,
	});
});

test("a scheduled campaign that is paused over its time begins when it is resumed, and at its time when that is ahead", async () => {
	const scheduledAt = new Date(Date.now() + HOUR_MS);
	const id = await newCampaign(3, { scheduledAt });
	expect(await change(id, "pause")).toBe("paused");
	expect(await change(id, "resume")).toBe("scheduled");
	await change(id, "pause");
	await database.sql`
		update campaigns
		set scheduled_at = now() - interval '1 minute'
		where id = ${id}
	`;
	await run();
	expect((await read()).accepted).toBe(0);
	expect(await change(id, "resume")).toBe("sending");
	await run();
	expect(await read()).toMatchObject({ status: "sending", accepted: 3 });
});

test("a campaign that waits for quota asks at once when it is resumed", async () => {
	messaging.quota = 1;
	const id = await newCampaign(3);
	await run();
	messaging.quota = 5;
	expect(await change(id, "resume")).toBe("paused");
	await run();
	expect(await read()).toMatchObject({ status: "sending", accepted: 3 });
});

test("a cancelled campaign skips everybody it has not sent to, and counts those that it has", async () => {
	const id = await newCampaign(4_000);
	await changeInFlight(id, "cancel");
	await run();
	const { accepted, skipped } = await read();
	expect(accepted).toBe(messaging.accepted.size);
	expect(accepted).toBeGreaterThanOrEqual(500);
	expect(skipped).toBe(4_000 - accepted);
	expect(await read()).toMatchObject({
		status: "cancelled",
		statusReason: null,
		audience: 4_000,
	});
	const reasons = await database.sql`
		select distinct reason
		from recipients
		where campaign_id = ${id}
		and state = 'skipped'
	`;
	expect([...reasons]).toEqual([{ reason: "cancelled" }]);
});

test.each(["pause", "cancel"])(
	"after a %s nothing more goes than what is on its way to messaging, 2,000 messages at most",
	async (action) => {
		const id = await newCampaign(5_000);
		const responses = Promise.withResolvers<void>();
		messaging.meanwhile = () => responses.promise;
		const round = runDueCampaign(
			contextWith(database.sql, messaging),
			neverStops,
		);
		await eventually(() => expect(messaging.calls).toHaveLength(4));
		await change(id, action);
		responses.resolve();
		await round;
		await run();
		expect(messaging.accepted.size).toBe(2_000);
		expect((await read()).accepted).toBe(2_000);
	},
);

test("a message whose result was lost as its campaign was cancelled counts, and so does its outcome", async () => {
	const id = await newCampaign(2);
	messaging.loseNextResponse = true;
	await changeInFlight(id, "cancel");
	const { messageId = "" } = messaging.accepted.get(phone(0)) ?? {};
	const delivered = outcome(
		{ id, organizationId },
		phone(0),
		messageId,
		"delivered",
	);
	await transaction(database.sql, (sql) =>
		applyMessageOutcomes(sql, [delivered]),
	);
	await endCalls(database.sql, id);
	await run();
	expect(await read()).toMatchObject({
		status: "cancelled",
		skipped: 0,
		accepted: 2,
		delivered: 1,
	});
});

test("a scheduled campaign that is cancelled never begins", async () => {
	const scheduledAt = new Date(Date.now() + HOUR_MS);
	const id = await newCampaign(2, { scheduledAt });
	expect(await change(id, "cancel")).toBe("cancelled");
	await database.sql`update campaigns set due_at = now() where id = ${id}`;
	await run();
	expect(messaging.calls).toEqual([]);
	expect(await read()).toMatchObject({ startedAt: null, audience: 0 });
	const left = await database.sql`select from recipient_imports`;
	expect(left.count).toBe(0);
});

test("a change that is repeated changes nothing, and a campaign that has ended is refused", async () => {
	const id = await newCampaign(1);
	const actions = ["pause", "pause", "resume", "resume", "cancel", "cancel"];
	const statuses = [];
	for (const action of actions) statuses.push(await change(id, action));
	expect(statuses.join(" ")).toBe(
		"paused paused sending sending cancelled cancelled",
	);
	expect(await refusalOf(id, "resume")).toBe("campaign_ended");
	expect(await refusalOf(id, "pause")).toBe("campaign_ended");
});

test.each(["pause", "cancel"])(
	"a %s that waits until its campaign has ended is refused: it is not told that the campaign goes on",
	async (action) => {
		const { sql } = database;
		const id = await newCampaign(1);
		const isWaiting = async () => {
			const waiting = await sql`
				select
				from pg_stat_activity
				where datname = current_database()
				and wait_event_type = 'Lock'
			`;
			expect(waiting.count).toBe(1);
		};
		let refusal: Promise<string> | undefined;
		await sql.begin(async (sql) => {
			await sql`
				update campaigns
				set status = 'completed', completed_at = now(), due_at = null
				where id = ${id}
			`;
			refusal = refusalOf(id, action);
			await eventually(isWaiting);
		});
		expect(await refusal).toBe("campaign_ended");
	},
);

test("a change with an idempotency key is made once, also when others come after it", async () => {
	const campaignId = await newCampaign(1);
	const idempotency = { key: "stop", fingerprint: new Uint8Array(32) };
	const request = { organizationId, campaignId, change: "pause", idempotency };
	const first = await campaigns.changeCampaign(request);
	await change(campaignId, "resume");
	expect(await campaigns.changeCampaign(request)).toEqual({
		...first,
		replayed: true,
	});
	expect(await read()).toMatchObject({ status: "sending" });
});

test("another organization neither sees nor changes a campaign", async () => {
	const campaignId = await newCampaign(1);
	const own = { organizationId, campaignId };
	const foreign = { organizationId: uuidv7(), campaignId };
	const page = { limit: 10 };
	const calls = [
		campaigns.getCampaign(foreign),
		campaigns.listRecipients({ ...foreign, page }),
		campaigns.changeCampaign({ ...foreign, change: "cancel" }),
	].map((call) => call.catch(domainErrorFrom));
	for (const refusal of await Promise.all(calls))
		expect(refusal).toMatchObject({ reason: "unknown_campaign" });
	const { campaign } = await campaigns.getCampaign(own);
	expect(campaign).toMatchObject({ id: campaignId, status: "sending" });
});

test("what an admin changes is in the audit, what clients change is not", async () => {
	const campaignId = await newCampaign(1);
	await change(campaignId, "pause");
	const admin = server.client(CampaignsService, { issuer: "admin" });
	for (const action of ["pause", "cancel", "cancel"])
		await admin.changeCampaign({ organizationId, campaignId, change: action });
	const entries = await database.sql`
		select subject, before, after
		from audit_entries
		where action = 'change_campaign'
		order by id
	`;
	expect(entries).toMatchObject([
		{ subject: campaignId, after: { status: "paused" } },
		{ subject: campaignId, after: { status: "cancelled" } },
	]);
	expect(entries[1]).toMatchObject({ before: { status: "paused" } });
});
