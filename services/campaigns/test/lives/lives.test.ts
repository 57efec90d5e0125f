import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { numbersFrom } from "@airtower/platform/testing/numbers-from";
import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { OUTCOME_WAIT_MS } from "../../src/domain/campaign-state.ts";
import { migrations } from "../../src/migrations.ts";
import { rpcRoutes } from "../../src/rpc/index.ts";
import { fakeMessaging } from "../fake-messaging.ts";
import { contextWith } from "../test-campaigns.ts";
import { become, grantTo, hearOf, tell } from "./events.ts";
import { Processes } from "./processes.ts";
import {
	change,
	HOUR_MS,
	type Life,
	MINUTE_MS,
	runStep,
	type Step,
	steps,
} from "./steps.ts";
import { expectExact, expectKnown, expectTruth } from "./truth.ts";
import { World } from "./world.ts";

/** More with this variable. */
const LIVES = Number(process.env.CAMPAIGN_LIVES ?? 60);
const QUOTAS = [5, 15];
/** Longest time until a paused campaign asks again, and a little. */
const LONGEST_PAUSE_MS = 11 * MINUTE_MS;
/** More than any campaign needs. */
const MOST_ROUNDS = 50;

let database: TestDatabase;
let server: TestRpcServer;
let life: Life;

beforeAll(async () => {
	database = await testDatabase(migrations, { hasMovableClock: true });
	const clock = () => new Date(life.world.now());
	const ctx = { ...contextWith(database.sql, fakeMessaging()), clock };
	const routes = rpcRoutes(ctx, () => {});
	const auditDatabase = database.sql;
	server = await serveRoutes("campaigns", routes, { auditDatabase });
});

afterAll(async () => {
	await server.close();
	await database.drop();
});

async function begin(): Promise<void> {
	await database.sql`
		truncate campaigns, recipients, recipient_imports, recipient_duplicates, sent_batches, quota_shares,
			closed_organizations, contacts, contact_tags
	`;
	const world = new World(database);
	const campaigns = server.client(CampaignsService);
	life = { world, processes: new Processes(world), campaigns };
	await world.setClock(0);
	for (const quota of QUOTAS) world.addOrganization(uuidv7(), quota);
	await runStep(life, { name: "create", seed: 1 });
}

async function live(plan: readonly Step[]): Promise<void> {
	await begin();
	for (const step of plan) {
		await runStep(life, step);
		await expectExact(life.world);
	}
	await letAllBeSent();
	await letAllEnd();
	// Who still stands still wakes long after all is over.
	const before = await allRecipients();
	await life.processes.wakeAll();
	await runDue();
	expect(await allRecipients()).toEqual(before);
	await expectRest();
	for (const one of life.world.campaigns) await expectTruth(life, one);
}

/** Whatever stood in the way is gone; campaigns are told, and ask again. */
async function letAllBeSent(): Promise<void> {
	const { world, processes } = life;
	world.random = numbersFrom(1);
	processes.isCalm = true;
	await processes.wake();
	world.waiting.clear();
	for (const one of world.organizations) {
		become(one, "active");
		one.isSenderSuspended = false;
		await hearOf(world, one);
	}
	for (const one of world.campaigns) await change(life, one, "resume");
	await processes.pass(30 * HOUR_MS);
	await runLong();
	expect((await database.sql`select from sent_batches`).count).toBe(0);
	for (const one of world.organizations) {
		grantTo(one, 1_000);
		await hearOf(world, one);
	}
	await runLong();
	expect(await openCampaigns("staged_at is null")).toEqual([]);
}

/** Outcomes come, some of them only after the campaign has given up to wait. */
async function letAllEnd(): Promise<void> {
	const { world, processes } = life;
	await expectKnown(world);
	const late = world.messages.filter(({ isLate, isTold }) => isLate && !isTold);
	await tell(
		world,
		world.messages.filter(({ isLate }) => !isLate),
	);
	const waiting = new Set(late.map(({ campaign }) => campaign.id));
	for (const { id } of await openCampaigns()) expect(waiting).toContain(id);
	for (const { stagedAt } of await openCampaigns()) {
		const endsAt = stagedAt.getTime() + OUTCOME_WAIT_MS;
		await processes.pass(Math.max(0, endsAt - world.now()) + MINUTE_MS);
		await runDue();
	}
	expect(await openCampaigns()).toEqual([]);
	await tell(world, world.messages);
	await tell(world, world.messages);
}

async function runLong(): Promise<void> {
	for (let look = 0; look < 3; look++) {
		await runDue();
		await expectExact(life.world);
		await life.processes.pass(LONGEST_PAUSE_MS);
	}
}

async function runDue(): Promise<void> {
	for (let round = 0; round < MOST_ROUNDS; round++)
		if (!(await life.processes.run())) return;
	throw new Error("A campaign is always due.");
}

async function openCampaigns(condition = "true") {
	const rows = await database.sql<{ id: string; stagedAt: Date }[]>`
		select id, status, status_reason, due_at, staged_at as "stagedAt"
		from campaigns
		where completed_at is null
		and ${database.sql.unsafe(condition)}
	`;
	return [...rows];
}

async function allRecipients() {
	const rows = await database.sql`
		select campaign_id, phone, state, reason, message_id
		from recipients
		order by campaign_id, phone
	`;
	return [...rows];
}

async function expectRest(): Promise<void> {
	await expectExact(life.world);
	const { sql } = database;
	for (const table of ["sent_batches", "quota_shares", "recipient_imports"])
		expect((await sql`select from ${sql(table)}`).count, table).toBe(0);
	const due = await sql`select from campaigns where due_at is not null`;
	expect(due.count).toBe(0);
}

test("whatever clients, processes, messaging and accounts do: none is sent to twice or long after a stop, counts and shares are exact, and all campaigns end", async () => {
	await begin();
	const now = performance.now.bind(performance);
	const spy = vi.spyOn(performance, "now");
	onTestFinished(() => spy.mockRestore());
	spy.mockImplementation(() => now() + life.world.aheadMs);
	await fc.assert(fc.asyncProperty(steps, live), { numRuns: LIVES });
});
