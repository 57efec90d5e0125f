import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
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
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) =>
	timestampFromMs(Date.now() + hours * HOUR_MS);

/** An organization whose first key ends in an hour. */
async function shortLivedOwner() {
	const organizationId = await organizationWith(service);
	const expiresAt = inHours(1);
	const first = await issue(service, organizationId, "first", { expiresAt });
	const endsAtMs = timestampMs(expiresAt);
	return {
		endsAtMs,
		owner: { organizationId, callerApiKeyId: first.apiKeyId },
	};
}

test("a key never outlives the key that makes it: without an end it gets that key's, a later end is refused", async () => {
	const { owner, endsAtMs } = await shortLivedOwner();
	const { apiKey } = await createKey(service, owner);
	expect(timestampMs(apiKey?.expiresAt ?? inHours(9))).toBe(endsAtMs);
	const earlier = timestampFromMs(endsAtMs - 1);
	const { apiKey: sooner } = await createKey(service, owner, {
		name: "sooner",
		expiresAt: earlier,
	});
	expect(timestampMs(sooner?.expiresAt ?? inHours(9))).toBe(endsAtMs - 1);
	const later = timestampFromMs(endsAtMs + 1);
	const late = createKey(service, owner, { name: "late", expiresAt: later });
	expect(await reasonOf(late)).toBe("invalid_expiry");
});

test("a key without an end makes keys with any end, and without", async () => {
	const owner = await ownerOf(service);
	const { apiKey } = await createKey(service, owner);
	expect(apiKey?.expiresAt).toBeUndefined();
	const year = { name: "year", expiresAt: inHours(8_760) };
	expect((await createKey(service, owner, year)).apiKey?.expiresAt).toEqual(
		year.expiresAt,
	);
});

test("a key revokes only keys whose scopes it covers, itself among them", async () => {
	const wide = await ownerOf(service);
	const { organizationId } = wide;
	const made = await createKey(service, wide, {
		scopes: ["api_keys:write", "sms:send"],
	});
	const callerApiKeyId = made.apiKey?.id ?? "";
	const revoke = (apiKeyId: string) =>
		reasonOf(
			service.account.deleteApiKey({
				organizationId,
				apiKeyId,
				callerApiKeyId,
			}),
		);
	expect(await revoke(wide.callerApiKeyId)).toBe("scope_not_allowed");
	const equal = await createKey(service, wide, {
		name: "equal",
		scopes: ["sms:send"],
	});
	expect(await revoke(equal.apiKey?.id ?? "")).toBe("none");
	expect(await revoke(callerApiKeyId)).toBe("none");
	expect(await revoke(wide.callerApiKeyId)).toBe("scope_not_allowed");
	const { results } = await service.accounts.authenticateKeys({
		apiKeys: [made.secret],
	});
	expect(results[0]?.key).toBeUndefined();
	expect(await listAllKeys(service, organizationId)).toHaveLength(1);
});

test("an organization has at most 100 active keys, however many are asked for at once", async () => {
	const owner = await ownerOf(service);
	const { organizationId } = owner;
	const names = Array.from({ length: 97 }, (_, index) => `key ${index}`);
	for (const name of names) await createKey(service, owner, { name });
	const reasons = await Promise.all(
		["a", "b", "c", "d"].map((name) =>
			reasonOf(
				name < "c"
					? createKey(service, owner, { name })
					: issue(service, organizationId, name),
			),
		),
	);
	expect(reasons.sort()).toEqual([
		"api_key_limit_reached",
		"api_key_limit_reached",
		"none",
		"none",
	]);
	const [newest] = await listAllKeys(service, organizationId);
	await expire(service, newest?.id ?? "");
	const next = await createKey(service, owner, { name: "next" });
	expect(await authenticate(service.accounts, [next.secret])).toEqual([
		next.apiKey?.id,
	]);
	expect(await reasonOf(createKey(service, owner, { name: "one more" }))).toBe(
		"api_key_limit_reached",
	);
});
