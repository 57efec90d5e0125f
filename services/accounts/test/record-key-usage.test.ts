import { testDatabase } from "@airtower/platform/testing/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordKeyUsage } from "../src/jobs/record-key-usage.ts";
import { updateLastUsed } from "../src/store/usable-keys.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { authenticate, issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

async function lastUsed(apiKeyId: string): Promise<Date | null> {
	const [row] = await service.ctx.sql<{ lastUsedAt: Date | null }[]>`
		select last_used_at as "lastUsedAt"
		from api_keys
		where id = ${apiKeyId}
	`;
	return row?.lastUsedAt ?? null;
}

test("verifying writes nothing; the job writes one time per key", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId, secret } = await issue(service, organizationId);
	const before = Date.now();
	await authenticate(service.accounts, [secret, secret]);
	expect(await lastUsed(apiKeyId)).toBeNull();
	await recordKeyUsage(service.ctx);
	expect((await lastUsed(apiKeyId))?.getTime()).toBeGreaterThanOrEqual(before);
});

test("an older time never replaces a younger one", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId } = await issue(service, organizationId);
	for (const ms of [2_000, 1_000]) {
		service.ctx.keyUsage.set(apiKeyId, new Date(ms));
		await recordKeyUsage(service.ctx);
	}
	expect((await lastUsed(apiKeyId))?.getTime()).toBe(2_000);
});

test("what could not be written is written by the next round", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId } = await issue(service, organizationId);
	service.ctx.keyUsage.set(apiKeyId, new Date(1_000));
	const broken = { ...service.ctx, sql: await closedDatabase() };
	await expect(recordKeyUsage(broken)).rejects.toThrow();
	await recordKeyUsage(service.ctx);
	expect((await lastUsed(apiKeyId))?.getTime()).toBe(1_000);
});

test("replicas that write the same keys in opposite order do not hinder each other", async () => {
	const organizationId = await organizationWith(service);
	const keys = await Promise.all(
		Array.from({ length: 20 }, (_, index) =>
			issue(service, organizationId, `key ${index}`),
		),
	);
	const uses = keys.map(({ apiKeyId }) => ({ apiKeyId, usedAt: new Date() }));
	await Promise.all(
		Array.from({ length: 20 }, (_, index) =>
			service.ctx.sql.begin((sql) =>
				updateLastUsed(sql, index % 2 === 0 ? uses : [...uses].reverse()),
			),
		),
	);
});

/** A pool that gives no response any more. */
async function closedDatabase() {
	const database = await testDatabase([]);
	await database.drop();
	return database.sql;
}
