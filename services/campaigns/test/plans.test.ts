import { randomUUID } from "node:crypto";
import {
	connectDatabase,
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { readBy } from "@airtower/platform/testing/reads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrationSets } from "../src/migrations.ts";
import {
	applyOutcomes,
	listPendingRecipients,
	markAccepted,
	markSkipped,
	snapshotContacts,
} from "../src/store/recipients.ts";

/** Recipients of an earlier campaign, of the one that is being sent, and contacts of each of two tags. */
const MANY = 10_000;
const BATCH = 200;
/** Rows read and index searches for one recipient; what grows with the tables takes hundreds. */
const MOST_PER_RECIPIENT = 12;

const organizationId = randomUUID();
/** Recipients of small campaigns, counted by the server before a large one begins. */
const FEW = [5, 41, 100, 300];

const earlier = randomUUID();
const campaignId = randomUUID();
const messageId = randomUUID();
const batch = Array.from({ length: BATCH }, (_, nth) => phone(MANY / 2 + nth));
const range = {
	campaignId: randomUUID(),
	organizationId,
	tags: ["gold", "new"],
	after: MANY / 2,
	until: 10 * MANY,
	limit: BATCH,
};

function phone(nth: number): string {
	return `+3361${2_000_000 + nth}`;
}

const STATEMENTS: Record<string, (sql: Tx) => Promise<unknown>> = {
	listPendingRecipients: (sql) =>
		listPendingRecipients(sql, campaignId, 0, BATCH),
	markAccepted: (sql) =>
		markAccepted(
			sql,
			campaignId,
			batch.map((phone) => ({ phone, messageId })),
		),
	markSkipped: (sql) =>
		markSkipped(
			sql,
			campaignId,
			batch.map((phone) => ({ phone, reason: "message_too_long" })),
		),
	applyOutcomes: (sql) =>
		applyOutcomes(
			sql,
			campaignId,
			batch.map((phone) => ({
				...{ phone, messageId },
				...({ status: "delivered", reason: "" } as const),
			})),
		),
	"snapshotContacts of all tags": (sql) =>
		snapshotContacts(sql, { ...range, matchMode: "all" }),
	"snapshotContacts of any tag": (sql) =>
		snapshotContacts(sql, { ...range, matchMode: "any" }),
};

describe.each([
	{ name: "plans of a time when nobody waited", past: true, few: MANY },
	{ name: "plans of empty tables", past: false, few: MANY },
	...FEW.map((few) => ({
		name: `plans of ${few} recipients`,
		past: true,
		few,
	})),
])("with $name", ({ past, few }) => {
	let database: TestDatabase;
	let sql: Db;

	beforeAll(async () => {
		database = await testDatabase(migrationSets);
		sql = connectDatabase({
			url: database.url,
			schema: database.schema,
			poolSize: 1,
			applicationName: "plans",
			plansByIndex: true,
		});
		await sql`set plan_cache_mode = force_generic_plan`;
		if (past) await insertPast(database.sql, few);
		for (const run of Object.values(STATEMENTS)) await transaction(sql, run);
		if (!past) await insertPast(database.sql, MANY);
		await insertRecipients(database.sql, campaignId, "pending", MANY);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	test.each(Object.entries(STATEMENTS))(
		"%s reads no more than its batch",
		async (_name, run) => {
			const read = await readBy(sql, run);
			expect(read).toBeGreaterThanOrEqual(BATCH);
			expect(read).toBeLessThanOrEqual(BATCH * MOST_PER_RECIPIENT);
		},
	);
});

/** Contacts and a campaign that is over, with their statistics. */
async function insertPast(sql: Db, recipients: number): Promise<void> {
	await sql`
		insert into contacts (organization_id, name, phone, tags)
		select ${organizationId}, 'Ada', '+3361' || 2000000 + nth, '{gold,new}'
		from generate_series(1, ${MANY}) as nth
	`;
	await sql`
		insert into contact_tags (organization_id, tag, created_at, contact_id)
		select organization_id, unnest(tags), created_at, id
		from contacts
	`;
	await insertRecipients(sql, earlier, "delivered", recipients);
	for (const table of ["contacts", "contact_tags", "campaigns", "recipients"])
		await sql`analyze ${sql(table)}`;
}

async function insertRecipients(
	sql: Db,
	campaignId: string,
	state: "pending" | "delivered",
	count: number,
): Promise<void> {
	await sql`
		insert into recipients (campaign_id, phone, state)
		select ${campaignId}, '+3361' || 2000000 + nth, ${state}
		from generate_series(0, ${count - 1}) as nth
	`;
}
