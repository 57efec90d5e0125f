import { randomUUID } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_BALANCE } from "../src/store/balances.ts";
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

async function reserved(organizationId: string, count: number) {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	return reservations.map(({ messageId }) => ({
		organizationId,
		messageId,
		note: "storing failed",
	}));
}

test("a release appends the opposite entry with its note and credits the unit", async () => {
	const organizationId = await organizationWith(service, 10);
	const releases = await reserved(organizationId, 2);
	expect(await service.accounts.releaseQuota({ releases })).toMatchObject({
		released: 2,
	});
	expect(await balanceOf(service, organizationId)).toBe(10);
	const ledger = await ledgerOf(service.ctx.sql, organizationId);
	expect(ledger.slice(3)).toEqual(
		releases.map(({ messageId }, index) => ({
			kind: "release",
			units: 1,
			balanceAfter: 9 + index,
			messageId,
			note: "storing failed",
		})),
	);
});

test("a release to an organization that has the most that can be granted goes through, and hinders none to others", async () => {
	const [full, other] = [
		await organizationWith(service, MAX_BALANCE),
		await organizationWith(service, 10),
	];
	const releases = [
		...(await reserved(full, 2)),
		...(await reserved(other, 1)),
	];
	const grantOf = (units: bigint) =>
		service.admin.grantQuota({
			organizationId: full,
			units,
			grantId: randomUUID(),
		});
	await grantOf(2n);
	expect(await service.accounts.releaseQuota({ releases })).toMatchObject({
		released: 3,
	});
	expect(await balanceOf(service, full)).toBe(MAX_BALANCE + 2);
	expect(await balanceOf(service, other)).toBe(10);
	expect(await grantOf(-1n)).toMatchObject({
		balance: BigInt(MAX_BALANCE + 1),
	});
	await expectSoundLedgers(service.ctx.sql);
});

test("a repeated release, alone, in one batch or in parallel, gives back once", async () => {
	const organizationId = await organizationWith(service, 10);
	const releases = await reserved(organizationId, 3);
	const responses = await Promise.all(
		Array.from({ length: 6 }, () =>
			service.accounts.releaseQuota({ releases: [...releases, ...releases] }),
		),
	);
	const released = responses.map((response) => response.released);
	expect(released.reduce((sum, count) => sum + count)).toBe(3);
	expect(await balanceOf(service, organizationId)).toBe(10);
	await expectSoundLedgers(service.ctx.sql);
});

test("ids that were never reserved are passed over", async () => {
	const organizationId = await organizationWith(service, 10);
	const [release] = await reserved(organizationId, 1);
	const messageId = release?.messageId ?? "";
	const response = await service.accounts.releaseQuota({
		releases: [
			{ organizationId, messageId: uuidv7() },
			{ organizationId: randomUUID(), messageId },
			{ organizationId, messageId: "nonsense" },
			{ organizationId: "nonsense", messageId },
			{ organizationId, messageId, note: "bad\u0000note" },
		],
	});
	expect(response.released).toBe(1);
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("a suspended organization gets its units back all the same", async () => {
	const organizationId = await organizationWith(service, 10);
	const releases = await reserved(organizationId, 1);
	await service.admin.setOrganizationState({
		organizationId,
		state: "suspended",
	});
	await service.accounts.releaseQuota({ releases });
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("an empty list is invalid", async () => {
	await expect(
		service.accounts.releaseQuota({ releases: [] }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a caller without a valid token is refused", async () => {
	await expect(
		service.strangerAccounts.releaseQuota({
			releases: [{ organizationId: randomUUID(), messageId: uuidv7() }],
		}),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
});

test("a caller of another organization gives nothing back", async () => {
	const organizationId = await organizationWith(service, 10);
	const releases = await reserved(organizationId, 1);
	await expect(
		service.accountsOf(randomUUID()).releaseQuota({ releases }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	expect(await balanceOf(service, organizationId)).toBe(9);
});
