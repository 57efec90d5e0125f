import { randomUUID } from "node:crypto";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith, reservationsOf } from "./support/organizations.ts";
import { pageOf, readAll } from "./support/pages.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

function entriesOf(organizationId: string, limit: number) {
	return async (after: Parameters<typeof pageOf>[1]) => {
		const page = pageOf(limit, after);
		const response = await service.account.listLedgerEntries({
			organizationId,
			page,
		});
		expect(response.entries.length).toBeLessThanOrEqual(limit);
		return { rows: response.entries, next: response.next };
	};
}

test("entries come newest first, each with its kind, units and balance", async () => {
	const organizationId = await organizationWith(service, 10);
	const [reservation] = reservationsOf(organizationId, 1);
	const { messageId = "" } = reservation ?? {};
	const campaignId = randomUUID();
	await service.accounts.reserveQuota({
		reservations: [{ ...reservation, campaignId }],
	});
	await service.accounts.releaseQuota({
		releases: [{ organizationId, messageId, note: "never stored" }],
	});
	const { entries, next } = await service.account.listLedgerEntries({
		organizationId,
		page: { limit: 50 },
	});
	const shared = { channel: "sms", messageId, campaignId };
	expect(entries).toMatchObject([
		{ ...shared, kind: "release", units: 1n, balanceAfter: 10n },
		{ ...shared, kind: "usage", units: -1n, balanceAfter: 9n, note: "" },
		{ kind: "grant", units: 10n, balanceAfter: 10n, messageId: "" },
	]);
	expect(entries[0]?.note).toBe("never stored");
	expect(next).toBeUndefined();
});

test("a list read page by page has each entry once while new ones are written", async () => {
	const organizationId = await organizationWith(service, 1_000);
	const reserve = (count: number) =>
		service.accounts.reserveQuota({
			reservations: reservationsOf(organizationId, count),
		});
	await reserve(40);
	const before = await readAll(entriesOf(organizationId, 200));
	const seen = await readAll(entriesOf(organizationId, 7), () => reserve(3));
	expect(seen.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test.each([{ limit: 0 }, { limit: 201 }])(
	"a page of $limit is invalid",
	async (page) => {
		const organizationId = await organizationWith(service);
		await expect(
			service.account.listLedgerEntries({ organizationId, page }),
		).rejects.toMatchObject({ code: Code.InvalidArgument });
	},
);

test("a page that begins after something else's row is invalid", async () => {
	const organizationId = await organizationWith(service);
	const after = { createdAt: timestampNow(), id: "17" };
	await expect(
		service.account.listLedgerEntries({
			organizationId,
			page: { limit: 1, after },
		}),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a caller without a valid token, or of another organization, is refused", async () => {
	const organizationId = await organizationWith(service, 1);
	const request = { organizationId, page: { limit: 1 } };
	await expect(
		service.strangerAccount.listLedgerEntries(request),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	await expect(
		service.accountOf(randomUUID()).listLedgerEntries(request),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
});
