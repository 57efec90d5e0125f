import { randomBytes, randomUUID } from "node:crypto";
import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { composeApiKey } from "@airtower/proto/rules/api-key";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { authenticate, expire, issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a batch returns each key in its place; bad ones are not told apart", async () => {
	const organizationId = await organizationWith(service);
	const good = await issue(service, organizationId, "good");
	const revoked = await issue(service, organizationId, "revoked");
	const expired = await issue(service, organizationId, "expired");
	await service.admin.revokeApiKey({
		organizationId,
		apiKeyId: revoked.apiKeyId,
	});
	await expire(service, expired.apiKeyId);
	const { results } = await service.accounts.authenticateKeys({
		apiKeys: [
			"nonsense",
			revoked.secret,
			good.secret,
			expired.secret,
			composeApiKey("0".repeat(32)),
			good.secret,
		],
	});
	expect(results.map((result) => result.key?.apiKeyId)).toEqual([
		undefined,
		undefined,
		good.apiKeyId,
		undefined,
		undefined,
		good.apiKeyId,
	]);
});

test("a verified key tells all that the gateway needs", async () => {
	const { organization } = await service.admin.createOrganization({
		name: randomUUID(),
		email: "owner@example.com",
		defaultCountry: "DE",
	});
	const organizationId = organization?.id ?? "";
	const expiresAt = timestampFromMs(Date.now() + 3_600_000);
	const { apiKeyId, secret } = await issue(service, organizationId, "key", {
		scopes: ["sms:send", "account:read"],
		expiresAt,
	});
	const { results } = await service.accounts.authenticateKeys({
		apiKeys: [secret],
	});
	expect(results[0]?.key).toMatchObject({
		apiKeyId,
		organizationId,
		organizationState: "trial",
		scopes: ["account:read", "sms:send"],
		rateLimitPerMinute: 3_000,
		defaultCountry: "DE",
		expiresAt,
	});
});

test("the key of a suspended or closed organization is verified with its state", async () => {
	const organizationId = await organizationWith(service);
	const { secret } = await issue(service, organizationId);
	const stateAfter = async (state: string) => {
		await service.admin.setOrganizationState({ organizationId, state });
		const { results } = await service.accounts.authenticateKeys({
			apiKeys: [secret],
		});
		return results[0]?.key?.organizationState;
	};
	expect(await stateAfter("suspended")).toBe("suspended");
	expect(await stateAfter("closed")).toBe("closed");
});

test("a key issued under an older pepper is good while the ring holds it", async () => {
	const organizationId = await organizationWith(service);
	const { apiKeyId, secret } = await issue(service, organizationId);
	const fresh = `fresh:${randomBytes(32).toString("base64")}`;
	const { id, secret: old } = testKeyRing.current;
	const authenticateUnder = async (ring: string) => {
		const rotated = await startTestAccounts({
			sql: service.ctx.sql,
			peppers: parseKeyRing(ring),
		});
		try {
			return await authenticate(rotated.accounts, [secret]);
		} finally {
			await rotated.close();
		}
	};
	expect(
		await authenticateUnder(`${fresh},${id}:${old.toString("base64")}`),
	).toEqual([apiKeyId]);
	expect(await authenticateUnder(fresh)).toEqual([undefined]);
});

test("a caller of one organization sees its own keys only", async () => {
	const own = await organizationWith(service);
	const other = await organizationWith(service);
	const mine = await issue(service, own);
	const theirs = await issue(service, other);
	expect(
		await authenticate(service.accountsOf(own), [mine.secret, theirs.secret]),
	).toEqual([mine.apiKeyId, undefined]);
});

test("an empty batch is invalid and a caller without a valid token refused", async () => {
	await expect(authenticate(service.accounts, [])).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
	await expect(
		authenticate(service.strangerAccounts, ["key"]),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
});
