import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { reasonOf } from "./support/api-keys.ts";
import { expectSoundLedgers, ledgerOf } from "./support/ledger.ts";
import { balanceOf, organizationWith } from "./support/organizations.ts";
import { changesOf } from "./support/outbox.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

async function grant(
	organizationId: string,
	units: bigint,
	grantId: string = randomUUID(),
	note = "",
): Promise<number> {
	const response = await service.admin.grantQuota({
		organizationId,
		units,
		grantId,
		note,
	});
	return Number(response.balance);
}

test("a grant adds, an adjustment takes away, and both are in the ledger", async () => {
	const organizationId = await organizationWith(service);
	expect(await grant(organizationId, 100n, randomUUID(), "first top-up")).toBe(
		100,
	);
	expect(await grant(organizationId, -30n)).toBe(70);
	expect(await ledgerOf(service.ctx.sql, organizationId)).toEqual([
		{
			kind: "grant",
			units: 100,
			balanceAfter: 100,
			messageId: null,
			note: "first top-up",
		},
		{
			kind: "adjustment",
			units: -30,
			balanceAfter: 70,
			messageId: null,
			note: null,
		},
	]);
});

test("only added quota is announced, with its units and the balance after it", async () => {
	const organizationId = await organizationWith(service, 5);
	await grant(organizationId, -1n);
	expect(await changesOf(service.ctx.sql, organizationId)).toEqual([
		{
			topic: "accounts.change.v1",
			type: "quota_granted",
			key: organizationId,
			value: { balance: 5n, units: 5n },
		},
	]);
});

test("a repeated grant id, in parallel too, changes nothing and returns the first balance", async () => {
	const organizationId = await organizationWith(service, 1);
	const grantId = randomUUID();
	const balances = await Promise.all(
		Array.from({ length: 8 }, () => grant(organizationId, 10n, grantId)),
	);
	expect(balances).toEqual(Array.from({ length: 8 }, () => 11));
	await grant(organizationId, 5n);
	expect(await grant(organizationId, 10n, grantId.toUpperCase())).toBe(11);
	expect(await balanceOf(service, organizationId)).toBe(16);
	expect(await changesOf(service.ctx.sql, organizationId)).toHaveLength(3);
	await expectSoundLedgers(service.ctx.sql);
});

test("a grant id used for other units is a conflict", async () => {
	const organizationId = await organizationWith(service);
	const grantId = randomUUID();
	await grant(organizationId, 10n, grantId);
	expect(await reasonOf(grant(organizationId, -10n, grantId))).toBe(
		"grant_id_reused",
	);
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("one grant id serves two organizations", async () => {
	const grantId = randomUUID();
	const ids = [
		await organizationWith(service),
		await organizationWith(service),
	];
	for (const id of ids) expect(await grant(id, 10n, grantId)).toBe(10);
});

test("no adjustment takes a balance below zero", async () => {
	const organizationId = await organizationWith(service, 5);
	expect(await reasonOf(grant(organizationId, -6n))).toBe(
		"balance_would_be_negative",
	);
	expect(await grant(organizationId, -5n)).toBe(0);
	const racing = await Promise.allSettled([
		grant(organizationId, 3n),
		grant(organizationId, -2n),
		grant(organizationId, -2n),
	]);
	expect(racing[0]?.status).toBe("fulfilled");
	expect(await balanceOf(service, organizationId)).toBeGreaterThanOrEqual(0);
	await expectSoundLedgers(service.ctx.sql);
});

test("an unknown organization is not found", async () => {
	expect(await reasonOf(grant(randomUUID(), 1n))).toBe("unknown_organization");
});

test.each([
	["no units", { units: 0n }],
	["too many units", { units: 1_000_000_000_000_001n }],
	["the smallest number", { units: -(2n ** 63n) }],
	["a grant id that is no UUID", { grantId: "1" }],
	["an organization that is no UUID", { organizationId: "1" }],
	["a note with a NUL", { note: "\u0000" }],
	["a note that is too long", { note: "x".repeat(501) }],
])("%s is invalid", async (_, wrong) => {
	const organizationId = await organizationWith(service);
	const right = { organizationId, units: 1n, grantId: randomUUID() };
	await expect(
		service.admin.grantQuota({ ...right, ...wrong }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
	expect(await balanceOf(service, organizationId)).toBe(0);
});

test("a balance that would be too large is invalid", async () => {
	const organizationId = await organizationWith(service, 1);
	expect(await reasonOf(grant(organizationId, 1_000_000_000_000_000n))).toBe(
		"validation_failed",
	);
});

test("only an admin's valid token for this organization may grant", async () => {
	const organizationId = await organizationWith(service);
	const request = { organizationId, units: 1n, grantId: randomUUID() };
	await expect(service.strangerAdmin.grantQuota(request)).rejects.toMatchObject(
		{ code: Code.Unauthenticated },
	);
	for (const client of [service.serviceAdmin, service.adminOf(randomUUID())])
		await expect(client.grantQuota(request)).rejects.toMatchObject({
			code: Code.PermissionDenied,
		});
	expect(await balanceOf(service, organizationId)).toBe(0);
});
