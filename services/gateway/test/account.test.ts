import { DomainError } from "@airtower/platform/runtime/domain-error";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceNames } from "../src/clients.ts";
import { type CallOptions, call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const send = (path: string, options: CallOptions) =>
	call(world.baseUrl, path, options);

describe("GET /account", () => {
	test.each(["active", "suspended", "closed"])(
		"responds to an organization that is %s",
		async (organizationState) => {
			const { apiKey, organizationId } = world.accounts.addKey({
				organizationState,
			});
			const { status, body } = await send("/account", { apiKey });
			expect(status).toBe(200);
			expect(body.account).toMatchObject({
				organization: { id: organizationId },
				quota: { sms: { remaining: 99, used_this_period: 1 } },
			});
		},
	);

	test("needs its scope, of a suspended organization too", async () => {
		const { apiKey } = world.accounts.addKey({
			organizationState: "suspended",
			scopes: ["sms:send"],
		});
		const { status, body } = await send("/account", { apiKey });
		expect([status, body.error?.code]).toEqual([403, "insufficient_scope"]);
	});
});

describe("API keys", () => {
	test("the secret is shown at creation and never again", async () => {
		const { apiKey } = world.accounts.addKey();
		const created = await send("/api-keys", {
			method: "POST",
			apiKey,
			body: {
				name: "billing",
				scopes: ["sms:send"],
				expires_at: "2030-01-01T00:00:00+02:00",
			},
		});
		expect(created.status).toBe(200);
		expect(created.body.secret).toMatch(/^at_live_/);
		expect(created.body.apiKey).toMatchObject({
			prefix: expect.stringMatching(/\*{4}$/),
			scopes: ["sms:send"],
			expires_at: "2029-12-31T22:00:00.000Z",
			last_used_at: null,
		});
		const list = await send("/api-keys", { apiKey });
		expect(list.text).not.toContain(String(created.body.secret));
		expect(list.body.apiKeys).toEqual([created.body.apiKey]);
	});

	test("a revoked one is gone; a malformed id is as unknown as any", async () => {
		const { apiKey } = world.accounts.addKey();
		const { body } = await send("/api-keys", {
			method: "POST",
			apiKey,
			body: { name: "billing" },
		});
		const path = `/api-keys/${Object(body.apiKey).id}`;
		const remove = { method: "DELETE", apiKey };
		expect((await send(path, remove)).text).toBe('{"success":true}');
		for (const gone of [path, "/api-keys/1'--", "/api-keys/%00"]) {
			const { status, body } = await send(gone, remove);
			expect([status, body.error?.code]).toEqual([404, "unknown_api_key"]);
		}
	});
});

describe("GET /account/audit", () => {
	test("tells which key made and removed a key, from where, and what it was", async () => {
		const { apiKey, apiKeyId } = world.accounts.addKey();
		const { body } = await send("/api-keys", {
			method: "POST",
			apiKey,
			body: { name: "billing", scopes: ["sms:send"] },
		});
		const subject = Object(body.apiKey).id;
		await send(`/api-keys/${subject}`, { method: "DELETE", apiKey });
		const audit = await send("/account/audit", { apiKey });
		const actor = { type: "api_key", api_key_id: apiKeyId };
		const address = "127.0.0.1";
		expect(audit.body.entries).toMatchObject([
			{
				actor,
				address,
				subject,
				action: "delete_api_key",
				before: { name: "billing" },
				after: null,
			},
			{
				actor,
				address,
				subject,
				action: "create_api_key",
				before: null,
				after: { name: "billing", scopes: ["sms:send"] },
			},
		]);
	});

	test("names none of the platform's people and addresses", async () => {
		const { apiKey, organizationId } = world.accounts.addKey();
		world.audits.accounts.addAct(organizationId, {
			actorKind: "admin",
			actor: "grace",
			address: "10.0.0.7",
			action: "grant_quota",
			after: '{"balance":5,"note":null}',
		});
		const audit = await send("/account/audit", { apiKey });
		expect(audit.body.entries).toMatchObject([
			{
				actor: { type: "platform", api_key_id: null },
				address: null,
				subject: null,
				action: "grant_quota",
				before: null,
				after: { balance: 5, note: null },
			},
		]);
		expect(audit.text).not.toMatch(/grace|10\.0\.0\.7/);
	});

	test("shows what was done in every service, newest first, from page to page", async () => {
		const { apiKey, organizationId } = world.accounts.addKey();
		const seconds = 1_772_357_400n;
		for (const [nth, name] of serviceNames.entries())
			for (const [later, time] of [nth, nth, 9].entries())
				world.audits[name].addAct(organizationId, {
					actorKind: "admin",
					action: `${name}_${later}`,
					createdAt: timestampFromMs(Number(seconds) * 1_000 + time),
				});
		const { body } = await send("/account/audit?limit=200", { apiKey });
		const all = Array.from(Object(body).entries, (entry) => Object(entry));
		expect(all.length).toBe(15);
		const keys = all.map(({ created_at, id }) => `${created_at} ${id}`);
		expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? 1 : -1)));
		const read: unknown[] = [];
		let next = "";
		do {
			const path = `/account/audit?limit=4${next}`;
			const page = Object((await send(path, { apiKey })).body);
			read.push(...page.entries);
			next = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
		} while (next !== "");
		expect(read).toEqual(all);
	});

	test("is 503 while a service is away: nothing is left out in silence", async () => {
		const { apiKey } = world.accounts.addKey();
		await world.stopService("campaigns");
		const { status, body } = await send("/account/audit", { apiKey });
		await world.restartService("campaigns");
		expect([status, body.error?.code]).toEqual([503, "service_unavailable"]);
	});
});

test.each([
	["conflict", "organization_closed", "", 403, "organization_suspended", []],
	[
		"invalid",
		"invalid_characters",
		"name",
		400,
		"validation_failed",
		[{ field: "name", code: "invalid_characters", message: "Why." }],
	],
] as const)(
	"accounts' %s %s of field %j becomes %i %s",
	async (kind, reason, field, status, code, details) => {
		const { apiKey } = world.accounts.addKey();
		const refusal = { kind, reason, message: "Why." };
		world.account.refusal = new DomainError(
			field === "" ? refusal : { ...refusal, field },
		);
		const response = await send("/api-keys", {
			method: "POST",
			apiKey,
			body: { name: "billing" },
		});
		world.account.refusal = undefined;
		expect(response.status).toBe(status);
		expect(response.body.error).toEqual({
			code,
			message: expect.any(String),
			details,
		});
	},
);

describe("contacts", () => {
	test("tags come as a list or as one text", async () => {
		const { apiKey } = world.accounts.addKey();
		for (const [index, tags] of ["a, b", ["a", "b"]].entries()) {
			const body = { name: "Ada", phone: `+3361234000${index}`, tags };
			const response = await send("/contacts", {
				method: "POST",
				apiKey,
				body,
			});
			expect(response.status).toBe(200);
		}
	});

	test("the tags of a list are counted once they are trimmed and distinct, by campaigns", async () => {
		const { apiKey } = world.accounts.addKey();
		const padded = ` ${"x".repeat(64)} `;
		const tags = Array.from({ length: 60 }, () => padded);
		const body = { name: "Ada", phone: "+33612340000", tags };
		const response = await send("/contacts", { method: "POST", apiKey, body });
		expect(response.body.contact).toMatchObject({ tags });
	});

	test.each(["tag=", "tag=%20", "tag=%09%20"])(
		"a list with the blank %j is 400, not the list of all contacts",
		async (query) => {
			const { apiKey } = world.accounts.addKey();
			const response = await send(`/contacts?${query}`, { apiKey });
			expect(response.status).toBe(400);
			expect(response.body.error?.details).toMatchObject([
				{ field: "tag", code: "too_short" },
			]);
		},
	);

	test.each([
		"",
		"id=",
		"id=0",
		"id=-1",
		"id=1.5",
		"id=1e3",
		"id=9007199254740993",
		"id=x",
	])("DELETE with %j is 400 and names id", async (query) => {
		const { apiKey } = world.accounts.addKey();
		const response = await send(`/contacts?${query}`, {
			method: "DELETE",
			apiKey,
		});
		expect(response.status).toBe(400);
		expect(response.body.error?.details).toMatchObject([{ field: "id" }]);
	});
});
