import { randomBytes, randomUUID } from "node:crypto";
import { isApiKey } from "@airtower/proto/rules/api-key";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	authenticate,
	createKey,
	expire,
	issue,
	listAllKeys,
	ownerOf,
	reasonOf,
} from "./support/api-keys.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a created key works at once, has the caller's scopes and is listed masked", async () => {
	const owner = await ownerOf(service, ["api_keys:write", "sms:send"]);
	const { apiKey, secret, replayed } = await createKey(service, owner, {
		name: " ci ",
	});
	expect(isApiKey(secret)).toBe(true);
	expect(replayed).toBe(false);
	expect(apiKey).toMatchObject({
		name: "ci",
		prefix: `${secret.slice(0, 12)}****`,
		scopes: ["api_keys:write", "sms:send"],
		status: "active",
	});
	expect(await authenticate(service.accounts, [secret])).toEqual([apiKey?.id]);
	const listed = await listAllKeys(service, owner.organizationId);
	expect(listed[0]).toEqual(apiKey);
	const shown = listed.map(({ $typeName: _, ...key }) => key);
	expect(Object.values(shown[0] ?? {})).not.toContain(secret);
});

test("a key gets the scopes it asks for, never more than the caller has", async () => {
	const owner = await ownerOf(service, ["api_keys:write", "sms:send"]);
	const narrow = await createKey(service, owner, { scopes: ["sms:send"] });
	expect(narrow.apiKey?.scopes).toEqual(["sms:send"]);
	const wide = { name: "wide", scopes: ["sms:send", "sms:read"] };
	expect(await reasonOf(createKey(service, owner, wide))).toBe(
		"scope_not_allowed",
	);
	await expect(createKey(service, owner, wide)).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
	expect(await listAllKeys(service, owner.organizationId)).toHaveLength(2);
});

test("a calling key that is revoked, expired or another organization's allows nothing", async () => {
	const revoked = await ownerOf(service);
	await service.account.deleteApiKey({
		...revoked,
		apiKeyId: revoked.callerApiKeyId,
	});
	const expired = await ownerOf(service);
	await expire(service, expired.callerApiKeyId);
	const foreign = {
		...(await ownerOf(service)),
		callerApiKeyId: (await ownerOf(service)).callerApiKeyId,
	};
	for (const owner of [revoked, expired, foreign])
		expect(await reasonOf(createKey(service, owner))).toBe("scope_not_allowed");
});

test("a name is taken while its key is active, and free once that is expired or revoked", async () => {
	const owner = await ownerOf(service);
	const first = await createKey(service, owner);
	expect(await reasonOf(createKey(service, owner))).toBe("api_key_exists");
	await expire(service, first.apiKey?.id ?? "");
	const second = await createKey(service, owner);
	const { organizationId } = owner;
	await service.account.deleteApiKey({
		...owner,
		apiKeyId: second.apiKey?.id ?? "",
	});
	const third = await createKey(service, owner);
	const named = (await listAllKeys(service, organizationId)).filter(
		({ name }) => name === "key",
	);
	expect(named.map(({ id, status }) => ({ id, status }))).toEqual([
		{ id: third.apiKey?.id, status: "active" },
		{ id: first.apiKey?.id, status: "expired" },
	]);
});

test("a replay returns the same key and secret, which are stored sealed", async () => {
	const owner = await ownerOf(service);
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	const duplicates = await Promise.all(
		[1, 2, 3].map(() => createKey(service, owner, { idempotency })),
	);
	const [first] = duplicates;
	for (const { apiKey, secret } of duplicates)
		expect({ apiKey, secret }).toEqual({
			apiKey: first?.apiKey,
			secret: first?.secret,
		});
	expect(duplicates.filter(({ replayed }) => !replayed)).toHaveLength(1);
	const rows = await service.ctx.sql<{ response: Buffer }[]>`
		select response
		from idempotency_keys
		where key = ${idempotency.key}
	`;
	expect(rows[0]?.response.toString("latin1")).not.toContain(first?.secret);
	const other = { ...idempotency, fingerprint: randomBytes(32) };
	expect(
		await reasonOf(createKey(service, owner, { idempotency: other })),
	).toBe("idempotency_key_reused");
});

test("another calling key that repeats a request is refused, and never sees the secret", async () => {
	const { organizationId, callerApiKeyId } = await ownerOf(service);
	const { apiKeyId } = await issue(service, organizationId, "narrow", {
		scopes: ["api_keys:write"],
	});
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	const ask = (caller: string) =>
		createKey(
			service,
			{ organizationId, callerApiKeyId: caller },
			{ idempotency },
		);
	await ask(callerApiKeyId);
	expect(await reasonOf(ask(apiKeyId))).toBe("idempotency_key_reused");
	const { replayed } = await ask(callerApiKeyId.toUpperCase());
	expect(replayed).toBe(true);
});

test("a refused request leaves its idempotency key free", async () => {
	const owner = await ownerOf(service);
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	expect(
		await reasonOf(createKey(service, owner, { name: "first", idempotency })),
	).toBe("api_key_exists");
	const { replayed } = await createKey(service, owner, { idempotency });
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
	const owner = await ownerOf(service);
	const call = createKey(service, owner, wrong);
	await expect(call).rejects.toMatchObject({ code: Code.InvalidArgument });
	expect(await reasonOf(call)).toBe(reason);
});
