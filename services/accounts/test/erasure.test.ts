import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { erasableTables } from "../src/store/personal-data.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { balanceOf } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});
afterAll(() => service.close());

const NAME = "Lovelace & Daughters";
const KEY = "Ada's laptop";
const EMAIL = "ada@lovelace.example";

test("erasing an organization leaves its name and e-mail address in no table, names of its keys in the audit alone, and its balance as it is", async () => {
	const { sql } = service.database;
	const { organization } = await service.admin.createOrganization({
		name: NAME,
		email: EMAIL,
	});
	const organizationId = organization?.id ?? "";
	await service.admin.grantQuota({
		organizationId,
		units: 7n,
		grantId: organizationId,
	});
	await service.admin.issueApiKey({
		organizationId,
		name: KEY,
		scopes: ["sms:send"],
	});
	expect(await tablesWith(sql, NAME)).toEqual(["organizations"]);
	const erase = () => eraseAll(sql, erasableTables, { organizationId });
	expect(await erase()).toEqual({ erased: 2, pending: 0 });
	for (const gone of [NAME, EMAIL])
		expect(await tablesWith(sql, gone)).toEqual([]);
	expect(await tablesWith(sql, KEY)).toEqual(["audit_entries"]);
	expect(await balanceOf(service, organizationId)).toBe(7);
	const { organization: left } = await service.admin.getOrganization({
		organizationId,
	});
	expect(left).toMatchObject({ name: `erased-${organizationId}` });
	expect(await erase()).toEqual({ erased: 0, pending: 0 });
});

test("erasing a number leaves organizations alone", async () => {
	const { sql } = service.database;
	await service.admin.createOrganization({ name: NAME, email: EMAIL });
	await eraseAll(sql, erasableTables, { phone: "+33612345678" });
	expect(await tablesWith(sql, NAME)).toEqual(["organizations"]);
});
