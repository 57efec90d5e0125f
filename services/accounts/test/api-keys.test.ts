import { randomBytes, randomUUID } from "node:crypto";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { CreateApiKeyRequestSchema } from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isApiKey } from "../src/domain/api-key.ts";
import { recordKeyUsage } from "../src/jobs/record-key-usage.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { authenticate, expire, issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";
import { changesOf } from "./support/outbox.ts";
import { pageOf, walk } from "./support/walk.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

/** An organization with a first key. */
async function ownerOf(scopes: string[] = []) {
	const organizationId = await organizationWith(service);
	const first = await issue(service, organizationId, "first", { scopes });
	return { organizationId, callerApiKeyId: first.apiKeyId };
}

function create(
	owner: Awaited<ReturnType<typeof ownerOf>>,
	more: MessageInitShape<typeof CreateApiKeyRequestSchema> = {},
) {
	return service.account.createApiKey({ name: "key", ...owner, ...more });
}

async function reasonOf(call: Promise<unknown>): Promise<string | undefined> {
	return call.then(
		() => "none",
		(error) => domainErrorFrom(error)?.reason,
	);
}

async function listAll(organizationId: string, limit = 50) {
	return walk(async (after) => {
		const page = pageOf(limit, after);
		const answer = await service.account.listApiKeys({ organizationId, page });
		return { rows: answer.apiKeys, next: answer.next };
	});
}

test("a created key works at once, has the caller's scopes and is listed masked", async () => {
	const owner = await ownerOf(["api_keys:write", "sms:send"]);
	const { apiKey, secret, replayed } = await create(owner, { name: " ci " });
	expect(isApiKey(secret)).toBe(true);
	expect(replayed).toBe(false);
	expect(apiKey).toMatchObject({
		name: "ci",
		prefix: `${secret.slice(0, 12)}****`,
		scopes: ["api_keys:write", "sms:send"],
		status: "active",
	});
	expect(await authenticate(service.accounts, [secret])).toEqual([apiKey?.id]);
	const listed = await listAll(owner.organizationId);
	expect(listed[0]).toEqual(apiKey);
	const shown = listed.map(({ $typeName: _, ...key }) => key);
	expect(Object.values(shown[0] ?? {})).not.toContain(secret);
});

test("a key gets the scopes it asks for, never more than the caller has", async () => {
	const owner = await ownerOf(["api_keys:write", "sms:send"]);
	const narrow = await create(owner, { scopes: ["sms:send"] });
	expect(narrow.apiKey?.scopes).toEqual(["sms:send"]);
	const wide = { name: "wide", scopes: ["sms:send", "sms:read"] };
	expect(await reasonOf(create(owner, wide))).toBe("scope_not_allowed");
	await expect(create(owner, wide)).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
	expect(await listAll(owner.organizationId)).toHaveLength(2);
});

test("a calling key that is revoked, expired or another organization's allows nothing", async () => {
	const revoked = await ownerOf();
	await service.account.deleteApiKey({
		organizationId: revoked.organizationId,
		apiKeyId: revoked.callerApiKeyId,
	});
	const expired = await ownerOf();
	await expire(service, expired.callerApiKeyId);
	const foreign = {
		...(await ownerOf()),
		callerApiKeyId: (await ownerOf()).callerApiKeyId,
	};
	for (const owner of [revoked, expired, foreign])
		expect(await reasonOf(create(owner))).toBe("scope_not_allowed");
});

test("a name is taken while its key is active, and free once that is expired or revoked", async () => {
	const owner = await ownerOf();
	const first = await create(owner);
	expect(await reasonOf(create(owner))).toBe("api_key_exists");
	await expire(service, first.apiKey?.id ?? "");
	const second = await create(owner);
	const { organizationId } = owner;
	await service.account.deleteApiKey({
		organizationId,
		apiKeyId: second.apiKey?.id ?? "",
	});
	const third = await create(owner);
	const named = (await listAll(organizationId)).filter(
		({ name }) => name === "key",
	);
	expect(named.map(({ id, status }) => ({ id, status }))).toEqual([
		{ id: third.apiKey?.id, status: "active" },
		{ id: first.apiKey?.id, status: "expired" },
	]);
});

test("a replay answers the same key and secret, which are stored sealed", async () => {
	const owner = await ownerOf();
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	const twins = await Promise.all(
		[1, 2, 3].map(() => create(owner, { idempotency })),
	);
	const [first] = twins;
	for (const { apiKey, secret } of twins)
		expect({ apiKey, secret }).toEqual({
			apiKey: first?.apiKey,
			secret: first?.secret,
		});
	expect(twins.filter(({ replayed }) => !replayed)).toHaveLength(1);
	const rows = await service.ctx.sql<{ response: Buffer }[]>`
		select response
		from idempotency_keys
		where key = ${idempotency.key}
	`;
	expect(rows[0]?.response.toString("latin1")).not.toContain(first?.secret);
	const other = { ...idempotency, fingerprint: randomBytes(32) };
	expect(await reasonOf(create(owner, { idempotency: other }))).toBe(
		"idempotency_key_reused",
	);
});

test("another calling key that repeats a request is refused, and never sees the secret", async () => {
	const { organizationId, callerApiKeyId } = await ownerOf();
	const { apiKeyId } = await issue(service, organizationId, "narrow", {
		scopes: ["api_keys:write"],
	});
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	const ask = (caller: string) =>
		create({ organizationId, callerApiKeyId: caller }, { idempotency });
	await ask(callerApiKeyId);
	expect(await reasonOf(ask(apiKeyId))).toBe("idempotency_key_reused");
	const { replayed } = await ask(callerApiKeyId.toUpperCase());
	expect(replayed).toBe(true);
});

test("a refused request leaves its idempotency key free", async () => {
	const owner = await ownerOf();
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	expect(await reasonOf(create(owner, { name: "first", idempotency }))).toBe(
		"api_key_exists",
	);
	const { replayed } = await create(owner, { idempotency });
	expect(replayed).toBe(false);
});

test.each([
	["an unknown scope", { scopes: ["sms:delete"] }, "unknown_scope"],
	[
		"an expiry in the past",
		{ expiresAt: timestampFromMs(0) },
		"invalid_expiry",
	],
	["a blank name", { name: "  " }, "too_short"],
	["a name with a NUL", { name: "\u0000" }, "invalid_characters"],
	["a name with a line break", { name: "a\nb" }, "invalid_characters"],
])("%s is invalid", async (_, wrong, reason) => {
	const owner = await ownerOf();
	const call = create(owner, wrong);
	await expect(call).rejects.toMatchObject({ code: Code.InvalidArgument });
	expect(await reasonOf(call)).toBe(reason);
});

test("a key that nobody used has no last use; a use is shown once it is written", async () => {
	const owner = await ownerOf();
	const { apiKey, secret } = await create(owner);
	expect(apiKey?.lastUsedAt).toBeUndefined();
	await authenticate(service.accounts, [secret]);
	await recordKeyUsage(service.ctx);
	const [listed] = await listAll(owner.organizationId);
	expect(listed?.lastUsedAt).toBeDefined();
});

test("a key past its time is listed as expired before it is marked so", async () => {
	const owner = await ownerOf();
	await expire(service, owner.callerApiKeyId);
	const [listed] = await listAll(owner.organizationId);
	expect(listed).toMatchObject({ status: "expired" });
});

test("keys are listed newest first, page by page, while others come and go", async () => {
	const owner = await ownerOf();
	for (let nth = 0; nth < 8; nth++) await create(owner, { name: `${nth}` });
	const names = (await listAll(owner.organizationId, 3)).map(
		({ name }) => name,
	);
	expect(names).toEqual(["7", "6", "5", "4", "3", "2", "1", "0", "first"]);
});

test("a deleted key is refused at once, announced, gone from the list and not found again", async () => {
	const owner = await ownerOf();
	const { organizationId } = owner;
	const { apiKey, secret } = await create(owner);
	const apiKeyId = apiKey?.id ?? "";
	await service.account.deleteApiKey({ organizationId, apiKeyId });
	expect(await authenticate(service.accounts, [secret])).toEqual([undefined]);
	expect(await changesOf(service.ctx.sql, organizationId)).toMatchObject([
		{ type: "api_key_revoked", value: { apiKeyId } },
	]);
	expect(await listAll(organizationId)).toHaveLength(1);
	expect(
		await reasonOf(service.account.deleteApiKey({ organizationId, apiKeyId })),
	).toBe("unknown_api_key");
});

test("another organization's key and a malformed id are unknown to a delete", async () => {
	const owner = await ownerOf();
	const { organizationId } = await ownerOf();
	for (const apiKeyId of [owner.callerApiKeyId, "1", ""])
		expect(
			await reasonOf(
				service.account.deleteApiKey({ organizationId, apiKeyId }),
			),
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
			client.deleteApiKey({ organizationId, apiKeyId: randomUUID() }),
	],
] as const;

test.each(calls)(
	"only a valid token for this organization may %s",
	async (_, call) => {
		const { organizationId } = await ownerOf();
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
