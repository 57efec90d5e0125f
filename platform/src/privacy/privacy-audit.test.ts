import { PrivacyService } from "@airtower/proto/ops/v1/privacy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { uuidv7 } from "../runtime/ids.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { serveRoutes, type TestRpcServer } from "../testing/rpc-server.ts";
import { privacyRoute } from "./privacy-service.ts";

const { audit, privacy } = platformMigrations;
const organizationId = uuidv7();
let db: TestDatabase;
let server: TestRpcServer;

beforeAll(async () => {
	db = await testDatabase([audit, privacy]);
	server = await serveRoutes("test", [privacyRoute(db.sql, [])]);
});

afterAll(async () => {
	await server.close();
	await db.drop();
});

const client = () => server.client(PrivacyService);

test.each([
	[
		"set_retention",
		() => client().setRetention({ organizationId, bodyDays: 7 }),
	],
	["erase", () => client().erase({ organizationId })],
])(
	"%s is in the audit in the transaction that begins it, or is not done",
	async (action, act) => {
		const { sql } = db;
		await sql`alter table audit_entries rename to away`;
		await expect(act()).rejects.toThrow();
		await sql`alter table away rename to audit_entries`;
		expect(await sql`select from retention`).toHaveLength(0);
		expect(await sql`select from erasures`).toHaveLength(0);
		await act();
		const entries = await sql`
		select organization_id from audit_entries where action = ${action}
	`;
		expect(entries).toEqual([{ organization_id: organizationId }]);
		await sql`truncate retention, erasures`;
	},
);
