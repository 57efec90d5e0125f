import { randomUUID } from "node:crypto";
import { postgresCode } from "@airtower/platform/database/sql-errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_KEY_STATES } from "../src/domain/api-key-state.ts";
import { ORGANIZATION_STATES } from "../src/domain/organization-state.ts";
import { SUBSCRIPTION_STATES } from "../src/domain/subscription-state.ts";
import { LARGEST_STORED } from "../src/store/balances.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

const CHECK_VIOLATION = "23514";

/** The words of the CHECK on a column, as the database holds it. */
async function wordsOf(table: string, column: string): Promise<string[]> {
	const [row] = await service.ctx.sql<{ definition: string }[]>`
		select pg_get_constraintdef(oid) as definition
		from pg_constraint
		where conname = ${`${table}_${column}_check`}
		and connamespace = current_schema()::regnamespace
	`;
	return [...(row?.definition ?? "").matchAll(/'(\w+)'/g)].map(
		([, word]) => word ?? "",
	);
}

test.each([
	["organizations", "state", ORGANIZATION_STATES],
	["subscriptions", "status", SUBSCRIPTION_STATES],
	["api_keys", "state", API_KEY_STATES],
] as const)(
	"the states of %s are the same in the database and the code",
	async (table, column, states) => {
		expect(await wordsOf(table, column)).toEqual(states);
	},
);

test.each([-1, LARGEST_STORED + 1])(
	"the database refuses a balance of %d",
	async (balance) => {
		const organizationId = await organizationWith(service);
		const update = service.ctx.sql`
			update balances
			set balance = ${balance}
			where organization_id = ${organizationId}
		`;
		expect(await update.catch(postgresCode)).toBe(CHECK_VIOLATION);
	},
);

test.each([
	[
		"a usage that credits",
		{ kind: "usage", units: 1, message_id: randomUUID(), channel: "sms" },
	],
	[
		"a release that debits",
		{ kind: "release", units: -1, message_id: randomUUID(), channel: "sms" },
	],
	["a usage without a message", { kind: "usage", units: -1, channel: "sms" }],
	["a grant without its id", { kind: "grant", units: 1 }],
	[
		"an adjustment that adds",
		{ kind: "adjustment", units: 1, grant_id: randomUUID() },
	],
])("the database refuses %s", async (_, wrong) => {
	const entry = {
		organization_id: randomUUID(),
		created_at: new Date(),
		id: randomUUID(),
		balance_after: 1,
		...wrong,
	};
	const { sql } = service.ctx;
	const insert = sql`insert into ledger_entries ${sql(entry)}`;
	expect(await insert.catch(postgresCode)).toBe(CHECK_VIOLATION);
});
