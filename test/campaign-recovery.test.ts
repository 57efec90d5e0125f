import { randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "./support/api.ts";
import { openLedgers } from "./support/invariants.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

const RECIPIENTS = 25_000;
const QUOTA = 15_000;
/** Recipients that the first quota does not reach. */
const LEFT = RECIPIENTS - QUOTA;
/** Recipients whose last four digits ask nothing special of the simulator. */
const NUMBERS_PER_PREFIX = 9_000;

let running: TestSystem;
let ledgers: ReturnType<typeof openLedgers>;
let sql: postgres.Sql;

beforeAll(async () => {
	running = await startTestSystem({
		smppQuery: { window: "100" },
		env: { accounts: { RECONCILE_AFTER_S: "25" } },
	});
	ledgers = openLedgers(running.system);
	sql = postgres(running.system.adminDatabaseUrl, { max: 1 });
});

afterAll(async () => {
	await sql.end();
	await ledgers.close();
	await running.dispose();
});

interface CampaignBody {
	readonly status: string;
	readonly status_reason: string | null;
	readonly stats: Readonly<Record<string, number>>;
}

function phone(index: number): string {
	const prefix = 100 + Math.floor(index / NUMBERS_PER_PREFIX);
	return `+3361${prefix}${1_000 + (index % NUMBERS_PER_PREFIX)}`;
}

async function readCampaign(client: ApiClient): Promise<CampaignBody> {
	const { body } = await client.get("/campaigns");
	const [campaign] = body.campaigns as CampaignBody[];
	if (campaign === undefined) throw new Error("no campaign");
	return campaign;
}

async function untilAccepted(client: ApiClient, count: number): Promise<void> {
	await eventually(
		async () =>
			expect((await readCampaign(client)).stats.accepted).toBeGreaterThan(
				count,
			),
		{ timeoutMs: 120_000, everyMs: 100 },
	);
}

/** Messages of the campaign, the recipients among them, and the most that any of them got. */
async function countMessages(organizationId: string) {
	const [row] = await sql<
		{ messages: number; recipients: number; most: number }[]
	>`
		select sum(count)::int as messages, count(*)::int as recipients, max(count)::int as most
		from (
			select recipient, count(*)
			from messaging.messages
			where organization_id = ${organizationId}
			group by recipient
		) as per_recipient
	`;
	return row;
}

test("a campaign of 25,000 with quota for 15,000 survives kill -9, pauses exactly, resumes with half of a top-up and sends once to each", async () => {
	const { system } = running;
	const admin = adminClients(system);
	const organization = await createOrganization(admin, QUOTA);
	const client = apiClient(system.baseUrl, organization.apiKey);
	const created = await client.post("/campaigns", {
		name: "Big one",
		content: "Hello {{name|there}}",
		recipients: Array.from({ length: RECIPIENTS }, (_, index) => phone(index)),
	});
	expect(created.status).toBe(201);

	await untilAccepted(client, 2_000);
	await system.kill("campaigns", "SIGKILL");
	await system.restart("campaigns");
	await untilAccepted(client, 6_000);
	for (const name of ["messaging", "messaging-delivery"] as const)
		await system.kill(name, "SIGKILL");
	await system.restart("messaging-delivery");
	await system.restart("messaging");

	await eventually(
		async () =>
			expect(await readCampaign(client)).toMatchObject({
				status: "paused",
				status_reason: "quota_exhausted",
				stats: { audience: RECIPIENTS, skipped: 0, accepted: QUOTA },
			}),
		{ timeoutMs: 240_000, everyMs: 500 },
	);
	expect(await ledgers.accounting(organization.id)).toEqual({
		balance: 0,
		ledger: 0,
		messages: QUOTA,
	});

	await admin.accounts.grantQuota({
		organizationId: organization.id,
		units: BigInt(2 * LEFT),
		note: "top-up",
		grantId: randomUUID(),
	});
	await eventually(
		async () =>
			expect(await readCampaign(client)).toMatchObject({
				status: "completed",
				stats: {
					audience: RECIPIENTS,
					skipped: 0,
					accepted: RECIPIENTS,
					delivered: RECIPIENTS,
					failed: 0,
					pending: 0,
				},
			}),
		{ timeoutMs: 300_000, everyMs: 1_000 },
	);
	expect(await ledgers.accounting(organization.id)).toMatchObject({
		balance: LEFT,
	});
	expect(await countMessages(organization.id)).toEqual({
		messages: RECIPIENTS,
		recipients: RECIPIENTS,
		most: 1,
	});
	await client.close();
}, 720_000);
