import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAnnouncedCutoffs } from "../src/announced-cutoffs.ts";
import { reconcileReservations } from "../src/jobs/reconcile-reservations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { expectSoundLedgers, ledgerOf } from "./support/ledger.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";

const BACK_MS = -5 * 60_000;
const FORWARD_MS = 60_000;
const RECONCILE_AFTER_MS = 60_000;

let service: TestAccounts;
let organizationId: string;
/** The process's monotonic clock, ms. */
let monotonicMs: number;

beforeEach(async () => {
	monotonicMs = 0;
	const cutoffs = createAnnouncedCutoffs(() => monotonicMs);
	service = await startTestAccounts(
		{ cutoffs, reconcileAfterMs: RECONCILE_AFTER_MS },
		{ hasMovableClock: true },
	);
	organizationId = await organizationWith(service, 10);
});

afterEach(async () => {
	await expectSoundLedgers(service.ctx.sql);
	await service.close();
});

/** Reserves for messages that nobody stores. */
async function reserve(count = 1): Promise<string[]> {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	return reservations.map(({ messageId }) => messageId);
}

/** Announces a cut after every reservation of now, and lets it grow old enough. */
async function passTime(): Promise<void> {
	await reconcileReservations(service.ctx);
	monotonicMs += RECONCILE_AFTER_MS;
}

/**
 * Runs rounds until these messages, and no others, were looked up: a transaction of another test may hold them back.
 */
async function expectLookedUp(messageIds: readonly string[]): Promise<void> {
	await eventually(async () => {
		await reconcileReservations(service.ctx);
		expect(service.messages.asked.flat()).toEqual(messageIds);
	});
}

test("a reservation made after the clock stepped back 5 minutes is settled like any other", async () => {
	const first = await reserve();
	await passTime();
	await expectLookedUp(first);
	await service.database.setClock(BACK_MS);
	const second = await reserve();
	await reconcileReservations(service.ctx);
	await service.database.setClock(1_000);
	await passTime();
	await expectLookedUp([...first, ...second]);
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("a reservation in use is not given back because the clock stepped 1 minute forward", async () => {
	const ids = await reserve();
	await reconcileReservations(service.ctx);
	await service.database.setClock(FORWARD_MS);
	monotonicMs += RECONCILE_AFTER_MS - 1;
	expect(await reconcileReservations(service.ctx)).toBe(0);
	expect(await balanceOf(service, organizationId)).toBe(9);
	monotonicMs += 1;
	await expectLookedUp(ids);
});

test("a reservation in use is not taken for an old one because the clock stepped back before it", async () => {
	await reconcileReservations(service.ctx);
	await service.database.setClock(BACK_MS);
	monotonicMs += RECONCILE_AFTER_MS - 1;
	await reserve();
	monotonicMs += 1;
	expect(await reconcileReservations(service.ctx)).toBe(0);
	expect(await balanceOf(service, organizationId)).toBe(9);
});

test("an organization's ledger stays a chain while the clock steps back and forth", async () => {
	for (const stepMs of [0, BACK_MS, FORWARD_MS, 0, BACK_MS]) {
		await service.database.setClock(stepMs);
		const [messageId = ""] = await reserve(2);
		await service.accounts.releaseQuota({
			releases: [{ organizationId, messageId }],
		});
		await expectSoundLedgers(service.ctx.sql);
	}
	const lines = await ledgerOf(service.ctx.sql, organizationId);
	expect(lines.at(-1)?.balanceAfter).toBe(5);
});
