import { uuidv7 } from "@airtower/platform/runtime/ids";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkDebits } from "../src/jobs/check-debits.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { reasonOf } from "./support/api-keys.ts";
import { expectSoundLedgers, ledgerOf } from "./support/ledger.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";
import { pageOf, readAll } from "./support/pages.ts";

let service: TestAccounts;
let organizationId: string;

beforeAll(async () => {
	service = await startTestAccounts();
});

beforeEach(async () => {
	organizationId = await organizationWith(service, 10);
});

afterAll(() => service.close());

/** Messages that messaging has stored, paid for or not. */
function store(messageIds: readonly string[]): void {
	for (const id of messageIds) service.messages.listed.set(id, organizationId);
}

async function reserve(count: number): Promise<string[]> {
	const reservations = reservationsOf(organizationId, count);
	await service.accounts.reserveQuota({ reservations });
	return reservations.map(({ messageId }) => messageId);
}

async function checkAll(): Promise<void> {
	while ((await checkDebits(service.ctx)) > 0);
}

/** The organization's messages that are listed as undebited, by their reason. */
async function undebited(limit = 50): Promise<Map<string, string>> {
	const rows = await readAll(async (after) => {
		const page = pageOf(limit, after);
		const { messages, next } = await service.admin.listUndebitedMessages({
			page,
		});
		return { rows: messages, next };
	});
	const own = rows.filter((row) => row.organizationId === organizationId);
	return new Map(own.map((row) => [row.messageId, row.reason]));
}

test("messages without a debit are found, listed and counted; paid ones are not", async () => {
	const paid = await reserve(3);
	const free = Array.from({ length: 4 }, () => uuidv7());
	store([...paid, ...free]);
	await checkAll();
	const reasons = free.map((id) => [id, "never_debited"] as const);
	expect(await undebited(3)).toEqual(new Map(reasons));
	expect(await service.ctx.telemetry.undebitedMessages.get()).toMatchObject({
		values: [{ value: 4 }],
	});
	await service.admin.settleUndebitedMessages({ organizationId, waive: true });
});

test("a message whose debit was given back is found", async () => {
	const [kept = "", released = ""] = await reserve(2);
	await service.accounts.releaseQuota({
		releases: [{ organizationId, messageId: released }],
	});
	store([kept, released]);
	await checkAll();
	expect(await undebited()).toEqual(new Map([[released, "given_back"]]));
});

test("a message that is canceled, and given back, while the list is looked at is not found", async () => {
	const [messageId = ""] = await reserve(1);
	store([messageId]);
	const { messages } = service;
	const list = messages.listStoredMessages.bind(messages);
	vi.spyOn(messages, "listStoredMessages").mockImplementationOnce(
		async (request) => {
			const response = await list(request);
			messages.listed.delete(messageId);
			await service.accounts.releaseQuota({
				releases: [{ organizationId, messageId }],
			});
			return response;
		},
	);
	await checkAll();
	expect(await undebited()).toEqual(new Map());
});

test("undebited messages are settled once: from the balance, or waived", async () => {
	const settle = (waive = false) =>
		service.admin.settleUndebitedMessages({ organizationId, waive });
	store([uuidv7(), uuidv7(), uuidv7()]);
	await checkAll();
	expect(await settle()).toMatchObject({ settled: 3, balance: 7n });
	expect(await settle()).toMatchObject({ settled: 0, balance: 7n });
	store([uuidv7()]);
	await checkAll();
	expect(await settle(true)).toMatchObject({ settled: 1, balance: 7n });
	expect(await undebited()).toEqual(new Map());
	const lines = await ledgerOf(service.ctx.sql, organizationId);
	expect(lines.at(-1)).toMatchObject({ kind: "adjustment", units: -3 });
	await expectSoundLedgers(service.ctx.sql);
});

test("more than the balance is not taken: the messages stay listed", async () => {
	store(Array.from({ length: 11 }, () => uuidv7()));
	await checkAll();
	expect(
		await reasonOf(service.admin.settleUndebitedMessages({ organizationId })),
	).toBe("balance_would_be_negative");
	expect(await undebited()).toHaveProperty("size", 11);
	expect(await balanceOf(service, organizationId)).toBe(10);
});

test("two processes that check one page find each message once", async () => {
	store([uuidv7(), uuidv7()]);
	await Promise.all([checkDebits(service.ctx), checkDebits(service.ctx)]);
	await checkAll();
	expect(await undebited()).toHaveProperty("size", 2);
});

test("only an admin of every organization lists undebited messages, one of the organization settles them", async () => {
	const page = { limit: 1 };
	await expect(
		service.serviceAdmin.listUndebitedMessages({ page }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	const own = service.adminOf(organizationId);
	await expect(own.listUndebitedMessages({ page })).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
	await expect(
		own.settleUndebitedMessages({ organizationId }),
	).resolves.toMatchObject({ settled: 0 });
	await expect(
		service.adminOf(uuidv7()).settleUndebitedMessages({ organizationId }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	await expect(
		service.admin.settleUndebitedMessages({ organizationId: uuidv7() }),
	).rejects.toMatchObject({ code: Code.NotFound });
});
