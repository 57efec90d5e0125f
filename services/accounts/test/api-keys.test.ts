import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordKeyUsage } from "../src/jobs/record-key-usage.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	authenticate,
	createKey,
	expire,
	listAllKeys,
	ownerOf,
	reasonOf,
} from "./support/api-keys.ts";
import { changesOf } from "./support/outbox.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a key that nobody used has no last use; a use is shown once it is written", async () => {
	const owner = await ownerOf(service);
	const { apiKey, secret } = await createKey(service, owner);
	expect(apiKey?.lastUsedAt).toBeUndefined();
	await authenticate(service.accounts, [secret]);
	await recordKeyUsage(service.ctx);
	const [listed] = await listAllKeys(service, owner.organizationId);
	expect(listed?.lastUsedAt).toBeDefined();
});

test("a key past its time is listed as expired before it is marked so", async () => {
	const owner = await ownerOf(service);
	await expire(service, owner.callerApiKeyId);
	const [listed] = await listAllKeys(service, owner.organizationId);
	expect(listed).toMatchObject({ status: "expired" });
});

test("keys are listed newest first, page by page, while others come and go", async () => {
	const owner = await ownerOf(service);
	for (let nth = 0; nth < 8; nth++)
		await createKey(service, owner, { name: `${nth}` });
	const names = (await listAllKeys(service, owner.organizationId, 3)).map(
		({ name }) => name,
	);
	expect(names).toEqual(["7", "6", "5", "4", "3", "2", "1", "0", "first"]);
});

test("a deleted key is refused at once, announced, gone from the list and not found again", async () => {
	const owner = await ownerOf(service);
	const { organizationId } = owner;
	const { apiKey, secret } = await createKey(service, owner);
	const apiKeyId = apiKey?.id ?? "";
	await service.account.deleteApiKey({ ...owner, apiKeyId });
	expect(await authenticate(service.accounts, [secret])).toEqual([undefined]);
	expect(await changesOf(service.ctx.sql, organizationId)).toMatchObject([
		{ type: "api_key_revoked", value: { apiKeyId } },
	]);
	expect(await listAllKeys(service, organizationId)).toHaveLength(1);
	expect(
		await reasonOf(service.account.deleteApiKey({ ...owner, apiKeyId })),
	).toBe("unknown_api_key");
});

test("another organization's key and a malformed id are unknown to a delete", async () => {
	const owner = await ownerOf(service);
	const other = await ownerOf(service);
	for (const apiKeyId of [owner.callerApiKeyId, "1", ""])
		expect(
			await reasonOf(service.account.deleteApiKey({ ...other, apiKeyId })),
		).toBe("unknown_api_key");
});

const calls = [
	[
		"list",
		(client: TestAccounts["account"], organizationId: string) =>
			client.listApiKeys({ organizationId, page: { limit: 1 } }),
	],
	[
		"create",
		(client: TestAccounts["account"], organizationId: string) =>
			client.createApiKey({
				organizationId,
				callerApiKeyId: randomUUID(),
				name: "key",
			}),
	],
	[
		"delete",
		(client: TestAccounts["account"], organizationId: string) =>
			client.deleteApiKey({
				organizationId,
				callerApiKeyId: randomUUID(),
				apiKeyId: randomUUID(),
			}),
	],
] as const;

test.each(calls)(
	"only a valid token for this organization may %s",
	async (_, call) => {
		const { organizationId } = await ownerOf(service);
		await expect(
			call(service.strangerAccount, organizationId),
		).rejects.toMatchObject({ code: Code.Unauthenticated });
		await expect(
			call(service.accountOf(randomUUID()), organizationId),
		).rejects.toMatchObject({ code: Code.PermissionDenied });
		await expect(call(service.account, "nonsense")).rejects.toMatchObject({
			code: Code.InvalidArgument,
		});
	},
);
