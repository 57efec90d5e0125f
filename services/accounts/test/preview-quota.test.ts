import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a preview tells what the next reservation is told, and debits nothing", async () => {
	const suspended = await organizationWith(service, 5);
	await service.admin.setOrganizationState({
		organizationId: suspended,
		state: "suspended",
	});
	const first = await organizationWith(service, 2);
	const organizationIds = [
		first,
		await organizationWith(service, 1),
		await organizationWith(service),
		suspended,
		uuidv7(),
		"no id",
	];
	const { results: previews } = await service.accounts.previewQuota({
		organizationIds,
	});
	expect(previews.map(({ remaining }) => remaining)).toEqual([
		2n,
		1n,
		0n,
		5n,
		0n,
		0n,
	]);
	expect(await balanceOf(service, first)).toBe(2);
	const { results } = await service.accounts.reserveQuota({
		reservations: organizationIds.flatMap((id) => reservationsOf(id, 1)),
	});
	expect(previews.map(({ reservation }) => reservation)).toEqual(results);
	const after = await service.accounts.previewQuota({
		organizationIds: organizationIds.slice(0, 2).map((id) => id.toUpperCase()),
	});
	expect(after.results.map(({ remaining }) => remaining)).toEqual([1n, 0n]);
	expect(after.results[1]?.reservation?.result.value).toMatchObject({
		reason: "quota_exhausted",
	});
});
