import { randomBytes, randomUUID } from "node:crypto";
import type { AuditEntry } from "@airtower/proto/ops/v1/audit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { createKey, issue, ownerOf, reasonOf } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";
import { pageOf, readAll } from "./support/pages.ts";

let service: TestAccounts;
let organizationId: string;

beforeAll(async () => {
	service = await startTestAccounts();
});

beforeEach(async () => {
	organizationId = await organizationWith(service);
});

afterAll(() => service.close());

/** The organization's entries, the oldest first. */
async function entriesOf(id = organizationId, limit = 50) {
	const entries = await readAll(async (after) => {
		const page = pageOf(limit, after);
		const response = await service.audit.listOrganizationAudit({
			organizationId: id,
			page,
		});
		return { rows: response.entries, next: response.next };
	});
	return entries.reverse();
}

function factsOf({ action, before, after }: AuditEntry) {
	const read = (json: string) => (json === "" ? null : JSON.parse(json));
	return [action, read(before), read(after)];
}

test("every act on an organization is in its audit, with what was before and after", async () => {
	const { admin } = service;
	const grantId = randomUUID();
	const grant = { organizationId, units: 5n, grantId, note: "gift" };
	await admin.grantQuota(grant);
	await admin.grantQuota(grant);
	await admin.setOrganizationState({ organizationId, state: "active" });
	await admin.setOrganizationState({ organizationId, state: "active" });
	await admin.putPlan({ name: "audited", requestsPerMinute: 60 });
	await admin.setOrganizationPlan({ organizationId, plan: "audited" });
	await admin.settleUndebitedMessages({ organizationId, waive: true });
	const entries = await entriesOf(organizationId, 2);
	expect(entries.slice(1).map(factsOf)).toEqual([
		["grant_quota", { balance: 0 }, { balance: 5, units: 5, note: "gift" }],
		["set_organization_state", { state: "trial" }, { state: "active" }],
		["set_organization_plan", { plan: "default" }, { plan: "audited" }],
	]);
	expect(entries[0]?.action).toBe("create_organization");
	expect(entries[0]?.after).not.toContain("owner@example.com");
	for (const { actorKind, actor, address } of entries)
		expect([actorKind, actor, address]).toEqual(["admin", "test", "127.0.0.1"]);
});

test("a key that an admin makes or removes is in the audit, its secret is not", async () => {
	const { apiKeyId, secret } = await issue(service, organizationId, "ci", {
		scopes: ["sms:send"],
	});
	await service.admin.revokeApiKey({ organizationId, apiKeyId });
	const prefix = `${secret.slice(0, 12)}****`;
	const key = { name: "ci", prefix, scopes: ["sms:send"] };
	const entries = (await entriesOf()).slice(1);
	expect(entries.map(factsOf)).toEqual([
		["issue_api_key", null, { ...key, expires_at: null }],
		["revoke_api_key", { ...key, state: "active" }, null],
	]);
	expect(entries.map(({ subject }) => subject)).toEqual([apiKeyId, apiKeyId]);
	expect(JSON.stringify(entries.map(factsOf))).not.toContain(secret);
});

test("a key that a key makes or removes is in the audit once, with the key and the address that asked", async () => {
	const owner = await ownerOf(service);
	const by = { ...owner, callerAddress: "203.0.113.7" };
	const idempotency = { key: randomUUID(), fingerprint: randomBytes(32) };
	const { apiKey } = await createKey(service, owner, { ...by, idempotency });
	await createKey(service, owner, { ...by, idempotency });
	const apiKeyId = apiKey?.id ?? "";
	await service.account.deleteApiKey({ ...by, apiKeyId });
	const entries = (await entriesOf(owner.organizationId)).slice(2);
	expect(entries.map(({ action }) => action)).toEqual([
		"create_api_key",
		"delete_api_key",
	]);
	for (const entry of entries)
		expect(entry).toMatchObject({
			actorKind: "api_key",
			actor: owner.callerApiKeyId,
			address: "203.0.113.7",
			subject: apiKeyId,
		});
});

test("a refused act leaves no entry", async () => {
	const { admin } = service;
	const taken = { organizationId, units: -1n, grantId: randomUUID() };
	expect(await reasonOf(admin.grantQuota(taken))).toBe(
		"balance_would_be_negative",
	);
	const closed = { organizationId, state: "past_due" };
	expect(await reasonOf(admin.setOrganizationState(closed))).toBe(
		"invalid_transition",
	);
	const unknown = { organizationId, apiKeyId: randomUUID() };
	expect(await reasonOf(admin.revokeApiKey(unknown))).toBe("unknown_api_key");
	expect(await entriesOf()).toHaveLength(1);
});

test("an act and its entry are stored together or not at all", async () => {
	const { sql } = service.ctx;
	await sql`alter table audit_entries add constraint test_refuse check (action <> 'grant_quota') not valid`;
	try {
		const grant = { organizationId, units: 5n, grantId: randomUUID() };
		await expect(service.admin.grantQuota(grant)).rejects.toMatchObject({
			code: Code.Internal,
		});
	} finally {
		await sql`alter table audit_entries drop constraint test_refuse`;
	}
	const { organization } = await service.admin.getOrganization({
		organizationId,
	});
	expect(organization?.balance).toBe(0n);
});

test("an organization sees its own audit only", async () => {
	const page = { limit: 10 };
	const other = await organizationWith(service);
	const own = service.auditOf(organizationId);
	expect((await entriesOf(other)).map((entry) => entry.organizationId)).toEqual(
		[other],
	);
	await expect(
		own.listOrganizationAudit({ organizationId: other, page }),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	await expect(
		service.strangerAudit.listOrganizationAudit({ organizationId, page }),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	await expect(
		service.audit.listOrganizationAudit({ organizationId: "nonsense", page }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});
