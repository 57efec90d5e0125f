import { randomUUID } from "node:crypto";
import type { Db } from "@airtower/platform/database/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import {
	openPlanKeeper,
	planAll,
	type Statements,
	testReads,
} from "@airtower/platform/testing/plans";
import { afterAll, beforeAll, describe } from "vitest";
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

const STATEMENTS: Statements = {
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
		sql = await openPlanKeeper(database);
		if (past) await insertPast(database.sql, few);
		await planAll(sql, STATEMENTS);
		if (!past) await insertPast(database.sql, MANY);
		await insertRecipients(database.sql, campaignId, "pending", MANY);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	testReads(STATEMENTS, () => sql, {
		least: BATCH,
		most: BATCH * MOST_PER_RECIPIENT,
	});
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
