import { randomUUID } from "node:crypto";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { isApiKey } from "@airtower/proto/rules/api-key";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCOPES } from "../src/domain/scopes.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { authenticate, expire, issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("the response holds a well-formed key, the database only its digest and mask", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId, secret } = await issue(service, organizationId);
	expect(isApiKey(secret)).toBe(true);
	const [row] = await service.ctx.sql`
		select *
		from api_keys
		where id = ${apiKeyId}
	`;
	expect(row).toMatchObject({
		prefix: `${secret.slice(0, 12)}****`,
		pepper_id: testKeyRing.current.id,
		state: "active",
		scopes: [...SCOPES],
	});
	expect(JSON.stringify(row)).not.toContain(secret.slice(12, 40));
});

test("a name is unique among active keys, and free again after revocation or expiry", async () => {
	const organizationId = await organizationWith(service);
	const first = await issue(service, organizationId, "ci");
	const taken = await issue(service, organizationId, " ci ").catch(
		domainErrorFrom,
	);
	expect(taken).toMatchObject({ reason: "api_key_exists" });
	await service.admin.revokeApiKey({
		organizationId,
		apiKeyId: first.apiKeyId,
	});
	const second = await issue(service, organizationId, "ci");
	await expire(service, second.apiKeyId);
	const third = await issue(service, organizationId, "ci");
	expect(
		await authenticate(service.accounts, [
			first.secret,
			second.secret,
			third.secret,
		]),
	).toEqual([undefined, undefined, third.apiKeyId]);
	await issue(service, await organizationWith(service), "ci");
});

test("of many that take one name at once, one succeeds", async () => {
	const organizationId = await organizationWith(service);
	const responses = await Promise.allSettled(
		Array.from({ length: 5 }, () =>
			issue(service, organizationId, "contested"),
		),
	);
	expect(
		responses.filter((response) => response.status === "fulfilled"),
	).toHaveLength(1);
});

test.each([
	["an unknown scope", { scopes: ["sms:delete"] }],
	["an expiry in the past", { expiresAt: timestampFromMs(0) }],
	["a blank name", { name: "  " }],
	["a name with a NUL", { name: "\u0000" }],
	["a name that is too long", { name: "x".repeat(101) }],
])("%s is invalid", async (_, wrong) => {
	const organizationId = await organizationWith(service);
	await expect(
		service.admin.issueApiKey({ organizationId, name: "key", ...wrong }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("an unknown or closed organization gets no key", async () => {
	await expect(issue(service, randomUUID())).rejects.toMatchObject({
		code: Code.NotFound,
	});
	const organizationId = await organizationWith(service);
	await service.admin.setOrganizationState({
		organizationId,
		state: "closed",
	});
	await expect(issue(service, organizationId)).rejects.toMatchObject({
		code: Code.FailedPrecondition,
	});
});

test("only an admin's valid token for this organization may issue", async () => {
	const organizationId = await organizationWith(service);
	const request = { organizationId, name: "key" };
	await expect(
		service.strangerAdmin.issueApiKey(request),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	for (const client of [service.serviceAdmin, service.adminOf(randomUUID())])
		await expect(client.issueApiKey(request)).rejects.toMatchObject({
			code: Code.PermissionDenied,
		});
});
