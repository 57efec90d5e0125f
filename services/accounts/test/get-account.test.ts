import { randomUUID } from "node:crypto";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith, reservationsOf } from "./support/organizations.ts";

let service: TestAccounts;
let now = new Date();

beforeAll(async () => {
	service = await startTestAccounts({ clock: () => now });
});

afterAll(() => service.close());

async function useUnits(organizationId: string, count: number) {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	return reservations.map(({ messageId }) => messageId);
}

/** Moves an organization's beginning and its ledger into the past. */
async function age(organizationId: string, days: number): Promise<void> {
	const { sql } = service.ctx;
	await sql`
		update subscriptions
		set started_at = started_at - ${days} * interval '1 day'
		where organization_id = ${organizationId}
	`;
	await sql`
		update ledger_entries
		set created_at = created_at - ${days} * interval '1 day'
		where organization_id = ${organizationId}
	`;
}

test("a new organization is on trial, in its first period, with what it was granted", async () => {
	const organizationId = await organizationWith(service, 100);
	const account = await service.account.getAccount({ organizationId });
	expect(account).toMatchObject({
		organizationId,
		email: "owner@example.com",
		commercialState: "trial",
		plan: "default",
		subscriptionStatus: "active",
		smsRemaining: 100n,
		smsUsedThisPeriod: 0n,
	});
	const [start, end] = [account.currentPeriodStart, account.currentPeriodEnd];
	if (start === undefined || end === undefined) throw new Error("no period");
	expect(timestampDate(start).getTime()).toBeLessThanOrEqual(Date.now());
	expect(timestampDate(end).getTime()).toBeGreaterThan(Date.now());
});

test("what is used is what messages took since the period began, releases and adjustments set right", async () => {
	const organizationId = await organizationWith(service, 100);
	await useUnits(organizationId, 20);
	await age(organizationId, 32);
	await service.admin.grantQuota({
		organizationId,
		units: 50n,
		grantId: randomUUID(),
	});
	const messageIds = await useUnits(organizationId, 7);
	await service.accounts.releaseQuota({
		releases: messageIds
			.slice(0, 2)
			.map((messageId) => ({ organizationId, messageId })),
	});
	await service.admin.grantQuota({
		organizationId,
		units: -10n,
		grantId: randomUUID(),
	});
	expect(await service.account.getAccount({ organizationId })).toMatchObject({
		smsRemaining: 115n,
		smsUsedThisPeriod: 5n,
	});
});

test("units of an earlier period that are given back in this one are not used less than nothing", async () => {
	const organizationId = await organizationWith(service, 100);
	const messageIds = await useUnits(organizationId, 20);
	await age(organizationId, 32);
	await service.accounts.releaseQuota({
		releases: messageIds.map((messageId) => ({ organizationId, messageId })),
	});
	expect(await service.account.getAccount({ organizationId })).toMatchObject({
		smsRemaining: 100n,
		smsUsedThisPeriod: 0n,
	});
});

test("the period of a closed organization stays the one in which it was closed", async () => {
	const organizationId = await organizationWith(service);
	await service.admin.setOrganizationState({ organizationId, state: "closed" });
	const before = await service.account.getAccount({ organizationId });
	now = new Date(Date.now() + 100 * 86_400_000);
	expect(await service.account.getAccount({ organizationId })).toEqual(before);
	expect(before).toMatchObject({
		commercialState: "closed",
		subscriptionStatus: "canceled",
	});
	now = new Date();
});

test("an unknown organization is not found, a malformed id invalid", async () => {
	await expect(
		service.account.getAccount({ organizationId: randomUUID() }),
	).rejects.toMatchObject({ code: Code.NotFound });
	await expect(
		service.account.getAccount({ organizationId: "1" }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a caller without a valid token, or of another organization, is refused", async () => {
	const organizationId = await organizationWith(service);
	await expect(
		service.strangerAccount.getAccount({ organizationId }),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	await expect(
		service.accountOf(randomUUID()).getAccount({ organizationId }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	expect(
		await service.accountOf(organizationId).getAccount({ organizationId }),
	).toMatchObject({ organizationId });
});
