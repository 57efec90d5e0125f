import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { expectSoundLedgers, ledgerOf } from "./support/ledger.ts";
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

/** Results in short: the balance after a grant, or the reason of a refusal. */
async function reserve(
	reservations: Parameters<
		TestAccounts["accounts"]["reserveQuota"]
	>[0]["reservations"] &
		object,
	accounts = service.accounts,
): Promise<(number | string | undefined)[]> {
	const { results } = await accounts.reserveQuota({ reservations });
	return results.map(({ result }) =>
		result.case === "granted"
			? Number(result.value.remaining)
			: result.value?.reason,
	);
}

test("a batch debits one unit per message and returns the balance after each", async () => {
	const organizationId = await organizationWith(service, 10);
	const batch = reservationsOf(organizationId, 3);
	expect(await reserve(batch)).toEqual([9, 8, 7]);
	expect(await balanceOf(service, organizationId)).toBe(7);
	const usage = (await ledgerOf(service.ctx.sql, organizationId)).slice(1);
	expect(usage).toEqual(
		batch.map(({ messageId }, index) => ({
			kind: "usage",
			units: -1,
			balanceAfter: 9 - index,
			messageId,
			note: null,
		})),
	);
	await expectSoundLedgers(service.ctx.sql);
});

test("a repeated batch gets the same decisions and changes nothing", async () => {
	const organizationId = await organizationWith(service, 10);
	const batch = reservationsOf(organizationId, 3);
	const first = await reserve(batch);
	await reserve(reservationsOf(organizationId, 2));
	expect(await reserve(batch)).toEqual(first);
	expect(await reserve([...batch].reverse())).toEqual([...first].reverse());
	expect(await balanceOf(service, organizationId)).toBe(5);
	await expectSoundLedgers(service.ctx.sql);
});

test("a short organization is granted in order of arrival and its neighbour in full", async () => {
	const short = await organizationWith(service, 2);
	const rich = await organizationWith(service, 10);
	const batch = Array.from({ length: 4 }, () => [
		...reservationsOf(short, 1),
		...reservationsOf(rich, 1),
	]).flat();
	expect(await reserve(batch)).toEqual([
		1,
		9,
		0,
		8,
		"quota_exhausted",
		7,
		"quota_exhausted",
		6,
	]);
	await expectSoundLedgers(service.ctx.sql);
});

test("a refused message can be reserved after a top-up", async () => {
	const organizationId = await organizationWith(service);
	const batch = reservationsOf(organizationId, 1);
	expect(await reserve(batch)).toEqual(["quota_exhausted"]);
	await service.admin.grantQuota({
		organizationId,
		units: 1n,
		grantId: randomUUID(),
	});
	expect(await reserve(batch)).toEqual([0]);
});

test("a reservation that was given back is refused, not granted for nothing", async () => {
	const organizationId = await organizationWith(service, 5);
	const batch = reservationsOf(organizationId, 1);
	await reserve(batch);
	await service.accounts.releaseQuota({ releases: batch });
	expect(await reserve(batch)).toEqual(["reservation_released"]);
	expect(await balanceOf(service, organizationId)).toBe(5);
});

test.each(["suspended", "closed"])(
	"a %s organization is refused and keeps its quota",
	async (state) => {
		const organizationId = await organizationWith(service, 5);
		await service.admin.setOrganizationState({ organizationId, state });
		expect(await reserve(reservationsOf(organizationId, 1))).toEqual([
			"organization_suspended",
		]);
		expect(await balanceOf(service, organizationId)).toBe(5);
	},
);

test("a malformed or unknown item is refused alone", async () => {
	const organizationId = await organizationWith(service, 5);
	const [good] = reservationsOf(organizationId, 1);
	const item = { ...good };
	expect(
		await reserve([
			{ ...item, organizationId: randomUUID() },
			{ ...item, organizationId: "not-a-uuid" },
			{ ...item, messageId: "1\u0000" },
			{ ...item, channel: "pigeon" },
			{ ...item, campaignId: "x" },
			item,
			{ ...item, messageId: item.messageId?.toUpperCase() ?? "" },
		]),
	).toEqual([
		"unknown_organization",
		"unknown_organization",
		"validation_failed",
		"validation_failed",
		"validation_failed",
		4,
		4,
	]);
});

test("an empty or oversized batch is invalid", async () => {
	for (const count of [0, 1_001])
		await expect(
			reserve(reservationsOf(randomUUID(), count)),
		).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a caller without a valid token is refused", async () => {
	await expect(
		reserve(reservationsOf(randomUUID(), 1), service.strangerAccounts),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
});

test("a caller of one organization cannot debit another, not even beside its own", async () => {
	const own = await organizationWith(service, 5);
	const other = await organizationWith(service, 5);
	const accounts = service.accountsOf(own);
	expect(await reserve(reservationsOf(own, 1), accounts)).toEqual([4]);
	await expect(
		reserve([...reservationsOf(own, 1), ...reservationsOf(other, 1)], accounts),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	expect(await balanceOf(service, own)).toBe(4);
	expect(await balanceOf(service, other)).toBe(5);
});

test("parallel batches over the same organizations in opposite order all go through", async () => {
	const ids = await Promise.all([
		organizationWith(service, 1_000),
		organizationWith(service, 1_000),
		organizationWith(service, 1_000),
	]);
	const batches = Array.from({ length: 12 }, (_, index) => {
		const order = index % 2 === 0 ? ids : [...ids].reverse();
		return order.flatMap((id) => reservationsOf(id, 10));
	});
	const responses = await Promise.all(batches.map((batch) => reserve(batch)));
	expect(
		responses.flat().every((response) => typeof response === "number"),
	).toBe(true);
	for (const id of ids) expect(await balanceOf(service, id)).toBe(880);
	await expectSoundLedgers(service.ctx.sql);
});

test("concurrent duplicates of one batch debit once and return the same", async () => {
	const organizationId = await organizationWith(service, 100);
	const batch = reservationsOf(organizationId, 40);
	const responses = await Promise.all(
		Array.from({ length: 8 }, () => reserve(batch)),
	);
	for (const response of responses) expect(response).toEqual(responses[0]);
	expect(await balanceOf(service, organizationId)).toBe(60);
	await expectSoundLedgers(service.ctx.sql);
});
