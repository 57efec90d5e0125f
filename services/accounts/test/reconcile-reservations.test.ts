import { setTimeout as delay } from "node:timers/promises";
import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { reconcileReservations } from "../src/jobs/reconcile-reservations.ts";
import { reserveUnits } from "../src/rpc/reserve-quota.ts";
import { lockBalances, updateBalances } from "../src/store/balances.ts";
import { insertLedgerEntries } from "../src/store/ledger-entries.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { expectSoundLedgers, ledgerOf } from "./support/ledger.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";

/** Longest wait of one round for the other, ms. */
const MEETING_MS = 1_000;

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterEach(async () => {
	service.messages.down = false;
	service.messages.beforeResponse = async () => {};
	await expectSoundLedgers(service.ctx.sql);
});

afterAll(() => service.close());

/** Reserves and "stores" the first `stored` messages; the rest died between the two. */
async function send(organizationId: string, count: number, stored: number) {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	const ids = reservations.map(({ messageId }) => messageId);
	for (const id of ids.slice(0, stored)) service.messages.stored.add(id);
	return ids;
}

/** Runs rounds until every reservation of the messages was looked at. */
async function settle(messageIds: readonly string[]): Promise<void> {
	await eventually(async () => {
		await reconcileReservations(service.ctx);
		const asked = new Set(service.messages.asked.flat());
		expect(messageIds.filter((id) => !asked.has(id))).toEqual([]);
	});
}

async function position(): Promise<unknown> {
	const [row] = await service.ctx.sql`
		select position
		from scan_positions
		where name = 'reservations/sms'
	`;
	return row;
}

test("reservations without a message are given back, those with one stay", async () => {
	const organizationId = await organizationWith(service, 100);
	const ids = await send(organizationId, 10, 7);
	await settle(ids);
	expect(await balanceOf(service, organizationId)).toBe(93);
	const released = (await ledgerOf(service.ctx.sql, organizationId)).filter(
		(line) => line.kind === "release",
	);
	expect(released.map((line) => line.messageId)).toEqual(ids.slice(7));
	expect(released[0]?.note).toBe("The message was never stored.");
});

test("a settled reservation is never asked for again", async () => {
	const organizationId = await organizationWith(service, 100);
	const ids = await send(organizationId, 5, 5);
	await settle(ids);
	const asked = service.messages.asked.flat();
	expect(asked.filter((id) => ids.includes(id))).toHaveLength(5);
	expect(await reconcileReservations(service.ctx)).toBe(0);
});

test("a reservation that is still young is left alone", async () => {
	const organizationId = await organizationWith(service, 100);
	await send(organizationId, 5, 0);
	const patient = { ...service.ctx, reconcileAfterMs: 60_000 };
	expect(await reconcileReservations(patient)).toBe(0);
	expect(await balanceOf(service, organizationId)).toBe(95);
});

test("while messaging is down nothing moves, and afterwards all is settled", async () => {
	const organizationId = await organizationWith(service, 100);
	const ids = await send(organizationId, 5, 2);
	const before = await position();
	service.messages.down = true;
	await eventually(() =>
		expect(reconcileReservations(service.ctx)).rejects.toThrow(),
	);
	expect(await position()).toEqual(before);
	expect(await balanceOf(service, organizationId)).toBe(95);
	service.messages.down = false;
	await settle(ids);
	expect(await balanceOf(service, organizationId)).toBe(98);
});

test("two processes that settle one window release once", async () => {
	const organizationId = await organizationWith(service, 100);
	const ids = await send(organizationId, 20, 5);
	const meeting = Promise.withResolvers<void>();
	let arrived = 0;
	service.messages.beforeResponse = async () => {
		if (++arrived === 2) meeting.resolve();
		// The window may close between the looks of the two: the one that sees it then comes alone.
		await Promise.race([meeting.promise, delay(MEETING_MS)]);
	};
	await eventually(async () => {
		arrived = 0;
		const settled = await Promise.all([
			reconcileReservations(service.ctx),
			reconcileReservations(service.ctx),
		]);
		expect(Math.max(...settled)).toBeGreaterThan(0);
	});
	await settle(ids);
	expect(await balanceOf(service, organizationId)).toBe(95);
});

test("a process that was stopped while it asked cannot move the scan back", async () => {
	const organizationId = await organizationWith(service, 100);
	const first = await send(organizationId, 3, 3);
	const asking = Promise.withResolvers<void>();
	const resume = Promise.withResolvers<void>();
	let hasAsked = false;
	service.messages.beforeResponse = () => {
		hasAsked = true;
		asking.resolve();
		return resume.promise;
	};
	const zombie = eventually(async () => {
		await reconcileReservations(service.ctx);
		expect(hasAsked).toBe(true);
	});
	await asking.promise;
	service.messages.beforeResponse = async () => {};
	const second = await send(organizationId, 3, 0);
	await settle([...first, ...second]);
	const after = await position();
	resume.resolve();
	await zombie;
	expect(await position()).toEqual(after);
	expect(await balanceOf(service, organizationId)).toBe(97);
});

test("a reservation whose transaction commits late is not passed over", async () => {
	const late = await organizationWith(service, 10);
	const prompt = await organizationWith(service, 10);
	const messageId = uuidv7();
	const written = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const stalled = transaction(service.ctx.sql, async (sql) => {
		await reserveByHand(sql, late, messageId);
		written.resolve();
		await commit.promise;
	});
	await written.promise;
	await send(prompt, 3, 0);
	expect(await reconcileReservations(service.ctx)).toBe(0);
	commit.resolve();
	await stalled;
	await settle([messageId]);
	expect(await balanceOf(service, late)).toBe(10);
	await eventually(async () => {
		await reconcileReservations(service.ctx);
		expect(await balanceOf(service, prompt)).toBe(10);
	});
});

async function reserveByHand(
	sql: Parameters<typeof lockBalances>[0],
	organizationId: string,
	messageId: string,
): Promise<void> {
	const [locked] = await lockBalances(sql, [organizationId]);
	const balanceAfter = (locked?.balance ?? 0) - 1;
	await updateBalances(sql, new Map([[organizationId, balanceAfter]]));
	await insertLedgerEntries(sql, [
		{
			organizationId,
			kind: "usage",
			units: -1,
			balanceAfter,
			channel: "sms",
			messageId,
			campaignId: null,
			note: null,
		},
	]);
}

test("what was released by its sender is not released again", async () => {
	const organizationId = await organizationWith(service, 10);
	const ids = await send(organizationId, 2, 0);
	await service.accounts.releaseQuota({
		releases: ids.map((messageId) => ({ organizationId, messageId })),
	});
	await settle(ids);
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("reservations of another channel are not asked for: messaging does not store their messages", async () => {
	const organizationId = await organizationWith(service, 10);
	const reservations = reservationsOf(organizationId, 2).map((one) => ({
		...one,
		channel: "whatsapp",
	}));
	await service.accounts.reserveQuota({ reservations });
	const ids = await send(organizationId, 1, 1);
	await settle(ids);
	expect(await balanceOf(service, organizationId)).toBe(7);
});

test("more reservations than one look-up takes are settled page by page", async () => {
	const organizationId = await organizationWith(service, 20_000);
	const units = Array.from({ length: 6_000 }, () => ({
		organizationId,
		messageId: uuidv7(),
		channel: "sms" as const,
		campaignId: null,
	}));
	for (let at = 0; at < units.length; at += 1_000)
		await reserveUnits(service.ctx.sql, units.slice(at, at + 1_000));
	await settle(units.map((unit) => unit.messageId));
	expect(await balanceOf(service, organizationId)).toBe(20_000);
	expect(
		Math.max(...service.messages.asked.map((ids) => ids.length)),
	).toBeLessThanOrEqual(5_000);
});
