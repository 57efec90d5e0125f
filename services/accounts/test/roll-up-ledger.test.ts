import { tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpLedger } from "../src/jobs/roll-up-ledger.ts";
import { sumLedger } from "../src/jobs/sum-ledger.ts";
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

async function use(organizationId: string, count: number, released = 0) {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	const releases = reservations
		.slice(0, released)
		.map(({ messageId }) => ({ organizationId, messageId, note: "unsent" }));
	if (released > 0) await service.accounts.releaseQuota({ releases });
	return reservations.map(({ messageId }) => messageId);
}

/** Moves what an organization's ledger holds so far, all in the sums, into the past, at noon of a day. */
async function age(organizationId: string, months: number): Promise<void> {
	await sumLedger(service.ctx);
	await service.ctx.sql`
		update ledger_entries
		set created_at =
			date_trunc('day', now() - ${months} * interval '1 month', 'UTC') + interval '12 hours'
			+ (created_at - date_trunc('hour', created_at))
		where organization_id = ${organizationId}
		and created_at > now() - interval '1 day'
	`;
}

async function rollUpAll(): Promise<void> {
	while ((await rollUpLedger(service.ctx)) > 0);
}

test("usage older than 25 months is a line a day, and each sum and balance is what it was", async () => {
	const { sql } = service.ctx;
	const organizationId = await organizationWith(service, 100);
	const old = await use(organizationId, 30, 5);
	await age(organizationId, 30);
	const recent = await use(organizationId, 3);
	const before = await ledgerOf(sql, organizationId);
	const balance = await balanceOf(service, organizationId);
	await rollUpAll();
	const after = await ledgerOf(sql, organizationId);
	expect(after.map(({ kind, units }) => [kind, units])).toEqual([
		["grant", 100],
		["usage", -25],
		...recent.map(() => ["usage", -1]),
	]);
	const sum = (lines: readonly { units: number }[]) =>
		lines.reduce((total, { units }) => total + units, 0);
	expect(sum(after)).toBe(sum(before));
	expect(await balanceOf(service, organizationId)).toBe(balance);
	await expectSoundLedgers(sql);
	for (const messageId of old)
		expect(await tablesWith(sql, messageId)).not.toContain("ledger_entries");
	const { entries } = await service.account.listLedgerEntries({
		organizationId,
		page: { limit: 50 },
	});
	expect(entries.at(-2)).toMatchObject({
		kind: "usage",
		units: -25n,
		messageId: "",
		balanceAfter: 75n,
	});
});

test("two processes that roll up the same days leave one line of each, with the same sum", async () => {
	const { sql } = service.ctx;
	const organizationId = await organizationWith(service, 1_000);
	for (const months of [40, 35, 30]) {
		await use(organizationId, 100);
		await age(organizationId, months);
	}
	const worked = await Promise.all([
		rollUpLedger(service.ctx),
		rollUpLedger(service.ctx),
		rollUpLedger(service.ctx),
	]);
	expect(Math.min(...worked)).toBeGreaterThan(0);
	await rollUpAll();
	const lines = await ledgerOf(sql, organizationId);
	expect(lines.map(({ kind, units }) => [kind, units])).toEqual([
		["grant", 1_000],
		...[40, 35, 30].map(() => ["usage", -100]),
	]);
	expect(await balanceOf(service, organizationId)).toBe(700);
	await expectSoundLedgers(sql);
});

test("what was given back in full leaves no line, and usage of 24 months ago stays as it is", async () => {
	const { sql } = service.ctx;
	const returned = await organizationWith(service, 10);
	await use(returned, 4, 4);
	await age(returned, 30);
	const young = await organizationWith(service, 10);
	await use(young, 4);
	await age(young, 24);
	await rollUpAll();
	expect(await ledgerOf(sql, returned)).toHaveLength(1);
	expect(await ledgerOf(sql, young)).toHaveLength(5);
	await expectSoundLedgers(sql);
});
