import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { authenticate, expire, issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";
import { changesOf } from "./support/outbox.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a revoked key is refused at once and its revocation announced", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId, secret } = await issue(service, organizationId);
	expect(await authenticate(service.accounts, [secret])).toEqual([apiKeyId]);
	await service.admin.revokeApiKey({ organizationId, apiKeyId });
	expect(await authenticate(service.accounts, [secret])).toEqual([undefined]);
	expect(await changesOf(service.ctx.sql, organizationId)).toEqual([
		{
			topic: "accounts.change.v1",
			type: "api_key_revoked",
			key: organizationId,
			value: { apiKeyId },
		},
	]);
});

test("an expired key can be revoked, a revoked one only once", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId } = await issue(service, organizationId);
	await expire(service, apiKeyId);
	await issue(service, organizationId);
	await service.admin.revokeApiKey({ organizationId, apiKeyId });
	await expect(
		service.admin.revokeApiKey({ organizationId, apiKeyId }),
	).rejects.toMatchObject({ code: Code.NotFound });
	expect(await changesOf(service.ctx.sql, organizationId)).toHaveLength(1);
});

test("another organization's key is not found and stays good", async () => {
	const organizationId = await organizationWith(service);
	const other = await organizationWith(service);
	const { apiKeyId, secret } = await issue(service, organizationId);
	await expect(
		service.admin.revokeApiKey({ organizationId: other, apiKeyId }),
	).rejects.toMatchObject({ code: Code.NotFound });
	await expect(
		service.adminOf(other).revokeApiKey({ organizationId, apiKeyId }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	expect(await authenticate(service.accounts, [secret])).toEqual([apiKeyId]);
});

test("an id that is no UUID is invalid", async () => {
	await expect(
		service.admin.revokeApiKey({
			organizationId: randomUUID(),
			apiKeyId: "1",
		}),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a caller without a valid token is refused", async () => {
	await expect(
		service.strangerAdmin.revokeApiKey({
			organizationId: randomUUID(),
			apiKeyId: randomUUID(),
		}),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
});
