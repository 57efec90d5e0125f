import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import {
	cancelByRequest,
	pauseByRequest,
} from "../src/store/campaign-changes.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	makeDue,
	neverStops,
	ownDatabase,
	phones,
	readCampaign,
	runAll,
} from "./test-campaigns.ts";

const MINUTE_MS = 60_000;

const sql = await ownDatabase();

let organizationId: string;
let messaging: FakeMessaging;

beforeEach(async () => {
	await sql`delete from campaigns`;
	organizationId = uuidv7();
	messaging = fakeMessaging();
});

afterEach(() => {
	vi.restoreAllMocks();
});

async function newCampaign(count: number): Promise<string> {
	const recipients = phones(count);
	return (await createCampaign(sql, organizationId, { recipients })).id;
}

const cancel = (id: string) =>
	transaction(sql, (sql) => cancelByRequest(sql, organizationId, id));

/** What other processes do with the campaigns that are due. */
const runOthers = () => runAll(contextWith(sql, messaging));

/** A process with which this happens as it notes its batches: `note` lets it go on. */
async function runWhile(
	noting: (note: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
	const process = troubledSql(sql);
	process.fates.set("insert into sent_batches", noting);
	await runDueCampaign(contextWith(process.sql, messaging), neverStops);
}

/** By the clocks of the database and of all processes. */
async function passMinute(): Promise<void> {
	const now = performance.now.bind(performance);
	vi.spyOn(performance, "now").mockImplementation(() => now() + MINUTE_MS);
	await sql`update campaigns set completed_at = completed_at - interval '1 minute'`;
}

test("a process that stands still before it sends a batch, until its campaign is cancelled and settled, sends nothing", async () => {
	const id = await newCampaign(3);
	await runWhile(async (note) => {
		const noted = await note();
		await cancel(id);
		await passMinute();
		await runOthers();
		expect(await readCampaign(sql, organizationId)).toMatchObject({
			skipped: 3,
		});
		return noted;
	});
	expect(messaging.accepted.size).toBe(0);
});

test("a batch that is about to be noted as its campaign is cancelled is never sent, and none is left behind", async () => {
	const id = await newCampaign(3);
	await runWhile(async (note) => {
		await cancel(id);
		await runOthers();
		messaging.loseNextResponse = true;
		return note();
	});
	await passMinute();
	await runOthers();
	expect(messaging.accepted.size).toBe(0);
	expect(await sql`select from sent_batches`).toHaveLength(0);
});

test.each([
	["paused", pauseByRequest],
	["cancelled", cancelByRequest],
] as const)(
	"a campaign that is %s while it sends again to those who waited for a route sends to no further batch of them",
	async (_, change) => {
		const id = await newCampaign(2_000);
		const ctx = contextWith(sql, messaging);
		messaging.mustWait = () => true;
		for (let batches = 0; batches < 4; batches++) {
			await makeDue(sql, id);
			await runDueCampaign(ctx, neverStops);
		}
		messaging.mustWait = () => false;
		messaging.meanwhile = () =>
			transaction(sql, (sql) => change(sql, organizationId, id));
		await makeDue(sql, id);
		await runDueCampaign(ctx, neverStops);
		expect(messaging.accepted.size).toBe(500);
	},
);
