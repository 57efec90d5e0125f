import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { scopes as allScopes } from "@airtower/proto/rules/scopes";
import { beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, call } from "../../services/gateway/test/call.ts";
import { randomApiKey } from "../../services/gateway/test/random-api-key.ts";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";
import { freshPhone } from "./bodies.ts";
import { typedClient } from "./client.ts";
import type { ApiRequest, Owner } from "./row.ts";
import { rows } from "./rows.ts";

let world: ApiWorld;
let apiKey: string;
let organizationId: string;
let owner: Owner;

beforeAll(async () => {
	world = await sharedApiWorld();
	const organization = await world.organization();
	({ apiKey, id: organizationId } = organization);
	owner = {
		client: typedClient(world.baseUrl, apiKey),
		senderId: organization.senderId,
		phoneNumberId: await world.silentWhatsappNumber(organizationId),
	};
});

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

const publicOperations = ["get /", "get /health", "get /openapi.json"];

test("the table has every operation of the document", async () => {
	const document = await owner.client.get("/openapi.json");
	const operations = Object.entries(Object(document).paths).flatMap(
		([path, methods]) =>
			Object.keys(Object(methods)).map((method) => `${method} ${path}`),
	);
	const names = rows.map(({ operation }) => operation);
	expect([...publicOperations, ...names].sort()).toEqual(operations.sort());
});

describe.each(publicOperations)("%s", (operation) => {
	const path = operation.slice("get ".length);

	test("responds 200 without a key, and has no limit", async () => {
		const response = await send(path, {
			headers: { "x-request-id": "mine-1" },
		});
		expect(response.status).toBe(200);
		expect(response.headers.get("x-request-id")).toBe("mine-1");
		expect(response.headers.has("x-ratelimit-limit")).toBe(false);
	});
});

describe.each(rows)("$operation", (row) => {
	const method = methodOf(row.operation);
	const errorOf = async (path: string, options: CallOptions) => {
		const { status, body, headers } = await send(path, { method, ...options });
		return { status, code: body.error?.code, details: body.error, headers };
	};

	test(`responds ${row.success}, with the request's id and the limit`, async () => {
		const { path, body } = await row.request(owner);
		const headers = { "x-request-id": "mine-2" };
		const response = await send(path, { method, apiKey, body, headers });
		expect(response.status, response.text).toBe(row.success);
		if (row.isCsv)
			expect(response.headers.get("content-type")).toContain("text/csv");
		else expect(response.body.success).toBe(true);
		expect(response.headers.get("x-request-id")).toBe("mine-2");
		const limit = Number(response.headers.get("x-ratelimit-limit"));
		const remaining = Number(response.headers.get("x-ratelimit-remaining"));
		const reset = Number(response.headers.get("x-ratelimit-reset"));
		expect(remaining).toBeLessThan(limit);
		expect(reset).toBeGreaterThan(Date.now() / 1_000 - 1);
		expect(reset).toBeLessThan(Date.now() / 1_000 + 61);
	});

	test("takes the key in x-api-key too", async () => {
		const { path, body } = await row.request(owner);
		const headers = { "x-api-key": apiKey };
		expect((await send(path, { method, body, headers })).status).toBe(
			row.success,
		);
	});

	test.each(row.invalid)(
		"is 400 for $query $body and names $field",
		async ({ query, body, field }) => {
			const valid = await row.request(owner);
			const bare = row.unknown?.path ?? valid.path;
			const path = bare.split("?", 1)[0] ?? "";
			const response = await errorOf(
				query === undefined ? path : `${path}?${query}`,
				{ apiKey, body: body ?? valid.body },
			);
			expect([response.status, response.code]).toEqual([
				400,
				"validation_failed",
			]);
			expect(response.details?.details.map((detail) => detail.field)).toContain(
				field,
			);
			expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
		},
	);

	test("is 401 without a key and with an unknown one", async () => {
		const { path, body } = await row.request(owner);
		expect(await errorOf(path, { body })).toMatchObject({
			status: 401,
			code: "missing_api_key",
		});
		expect(await errorOf(path, { body, apiKey: randomApiKey() })).toMatchObject(
			{ status: 401, code: "invalid_api_key" },
		);
	});

	test("is 403 for a key with every scope but its own", async () => {
		const { path, body } = await row.request(owner);
		const others = allScopes.filter((scope) => scope !== row.scope);
		const apiKey = await world.issueKey(organizationId, others);
		const response = await errorOf(path, { body, apiKey });
		expect(response).toMatchObject({ status: 403, code: "insufficient_scope" });
		expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
	});

	test("is 429 with Retry-After beyond the plan's limit", async () => {
		const { path, body } = await row.request(owner);
		const apiKey = await world.spentKey();
		const response = await eventually(async () => {
			const response = await errorOf(path, { body, apiKey });
			expect(response).toMatchObject({ status: 429, code: "rate_limited" });
			return response;
		});
		expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(response.headers.get("x-ratelimit-limit")).toBe("1");
		expect(response.headers.get("x-ratelimit-remaining")).toBe("0");
	});
});

describe.each(rows.filter(({ unknown }) => unknown !== undefined))(
	"$operation",
	({ operation, unknown, request }) => {
		const method = methodOf(operation);

		test(`is 404 ${unknown?.code} for an id that nobody has`, async () => {
			const { body: given } = await request(owner);
			const { status, body } = await send(unknown?.path ?? operation, {
				method,
				apiKey,
				body: given,
			});
			expect([status, body.error?.code]).toEqual([404, unknown?.code]);
		});
	},
);

test.each(rows.filter(({ operation }) => operation.startsWith("delete ")))(
	"$operation does nothing the second time",
	async ({ request, isRepeatable = false }) => {
		const { path } = await request(owner);
		const statuses = [];
		for (let count = 0; count < 2; count++)
			statuses.push((await send(path, { method: "DELETE", apiKey })).status);
		expect(statuses).toEqual([200, isRepeatable ? 200 : 404]);
	},
);

const withKeys = rows.filter(
	({ operation, takesNoKey = false }) =>
		operation.startsWith("post ") && !takesNoKey,
);

describe.each(withKeys)("$operation", ({ success, request }) => {
	const post = ({ path, body }: ApiRequest, key?: string) =>
		send(path, {
			method: "POST",
			apiKey,
			body,
			headers: key === undefined ? {} : { "idempotency-key": key },
		});

	test("replays the response to the same key and body, byte for byte", async () => {
		const asked = await request(owner);
		const key = uuidv7();
		const first = await post(asked, key);
		const second = await post(asked, key);
		expect([first.status, second.status]).toEqual([success, success]);
		expect(second.text).toBe(first.text);
		expect(first.headers.has("idempotent-replayed")).toBe(false);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		expect(second.headers.get("x-request-id")).not.toBe(
			first.headers.get("x-request-id"),
		);
	});

	test("is 409 for the same key and another body, and on another path a request of its own", async () => {
		const asked = await request(owner);
		const { path, body } = asked;
		const key = uuidv7();
		expect((await post(asked, key)).status).toBe(success);
		if (body === undefined) {
			const elsewhere = await post(await request(owner), key);
			expect(elsewhere.status, elsewhere.text).toBe(success);
			expect(elsewhere.headers.get("idempotent-replayed")).toBeNull();
			return;
		}
		const other = { path, body: { ...body, ...changed(body) } };
		const response = await post(other, key);
		expect([response.status, response.body.error?.code], response.text).toEqual(
			[409, "idempotency_key_reused"],
		);
	});

	test("is 400 for an Idempotency-Key that is none", async () => {
		const response = await post(await request(owner), "two words");
		expect([response.status, response.body.error?.code]).toEqual([
			400,
			"invalid_idempotency_key",
		]);
	});
});

test.each(rows.filter(({ conflict }) => conflict !== undefined))(
	"$operation is 409 for what exists already",
	async ({ operation, success, conflict }) => {
		const path = operation.slice("post ".length);
		const options = { method: "POST", apiKey, body: conflict?.() };
		expect((await send(path, options)).status).toBe(success);
		const response = await send(path, options);
		expect(response.status).toBe(409);
		expect(response.body.error?.code).toMatch(/_exists$/);
	},
);

test("a suspended organization reads its account and nothing else", async () => {
	const { id, apiKey } = await world.organization();
	await world.admin.accountsAdmin.setOrganizationState({
		organizationId: id,
		state: "suspended",
	});
	const account = await send("/account", { apiKey });
	expect(account.status).toBe(200);
	expect(account.body.account).toMatchObject({ commercial_state: "suspended" });
	const usage = await send("/usage", { apiKey });
	expect([usage.status, usage.body.error?.code]).toEqual([
		403,
		"organization_suspended",
	]);
});

test("an export of opt-outs is taken by another organization as it is, but not with one bad line", async () => {
	const [own, other] = [await world.organization(), await world.organization()];
	const post = (apiKey: string, path: string, body: object) =>
		send(path, { method: "POST", apiKey, body });
	const entriesOf = async ({ apiKey }: { readonly apiKey: string }) => {
		const { text } = await send("/opt-outs/export", { apiKey });
		const lines = text.split("\r\n").slice(1, -1);
		const entries = lines.map((line) => line.split(",").slice(0, 2).join());
		return { text, entries: entries.toSorted() };
	};
	const given = ["", "ACME", "-1-x", "447700900123"].flatMap((sender) =>
		Array.from({ length: 70 }, () => `${freshPhone()},${sender}`),
	);
	const csv = ["recipient,sender", ...given].join("\n");
	await post(own.apiKey, "/opt-outs/import", { csv });
	const { text, entries } = await entriesOf(own);
	expect(entries).toHaveLength(280);
	const refused = await post(other.apiKey, "/opt-outs/import", {
		csv: `${text}12,,,\r\n`,
	});
	expect(refused.body.error?.details).toMatchObject([
		{ field: "csv.282.recipient" },
	]);
	expect((await entriesOf(other)).entries).toEqual([]);
	for (const [added, alreadyListed] of [
		[280, 0],
		[0, 280],
	]) {
		const taken = await post(other.apiKey, "/opt-outs/import", { csv: text });
		expect(taken.body).toEqual({ success: true, added, alreadyListed });
		expect((await entriesOf(other)).entries).toEqual(entries);
	}
});

function methodOf(operation: string): string {
	return (operation.split(" ", 1)[0] ?? "").toUpperCase();
}

/** The same request of another meaning, still valid. */
function changed(body: object | undefined): object {
	const { message, name, value, to, url, recipient, csv } = Object(body);
	if (csv !== undefined) return { csv: `${csv}\n${freshPhone()}` };
	if (message !== undefined) return { message: `${message}!` };
	if (name !== undefined) return { name: `${name}!` };
	if (value !== undefined) return { value: `${value}y` };
	if (url !== undefined) return { url: `${url}/2` };
	if (recipient !== undefined) return { recipient, sender: "Other" };
	return { to: `${to.slice(0, -1)}9` };
}
