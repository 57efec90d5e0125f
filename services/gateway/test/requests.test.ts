import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { tablesWith } from "@airtower/platform/testing/privacy";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldLines, storeRequests } from "../src/jobs/store-requests.ts";
import { createRequestLog, type RequestLine } from "../src/request-log.ts";
import { insertRequests } from "../src/store/requests.ts";
import { createTelemetry } from "../src/telemetry.ts";
import { anyText, anyValue, RUNS } from "./arbitraries.ts";
import { type CallOptions, call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

async function listed(apiKey: string, query = "") {
	const { status, body, text } = await send(`/requests?${query}`, { apiKey });
	expect(status, text).toBe(200);
	return Array.from(Object(body.requests), (one) => Object(one));
}

/** The logged request with an id of the caller's, once it is stored. */
function logged(apiKey: string, requestId: string) {
	return eventually(async () => {
		const [line] = await listed(apiKey, `request_id=${requestId}`);
		expect(line).toBeDefined();
		return line;
	});
}

test("a request that succeeds is logged with its key, route, path, status and time", async () => {
	const { apiKey, apiKeyId } = world.accounts.addKey();
	const body = { to: "+33612345678", message: "hello" };
	const headers = { "x-request-id": "mine-1" };
	await send("/sms/send?", { method: "POST", apiKey, body, headers });
	expect(await logged(apiKey, "mine-1")).toEqual({
		id: expect.any(String),
		request_id: "mine-1",
		method: "POST",
		route: "/sms/send",
		path: "/sms/send",
		status: 202,
		duration_ms: expect.any(Number),
		api_key: { id: apiKeyId, prefix: `${apiKey.slice(0, 12)}****` },
		error: null,
		request: null,
		omitted: 0,
		created_at: expect.any(String),
	});
});

test("a refused request is logged with its error and fields, and without texts", async () => {
	const { apiKey } = world.accounts.addKey();
	await send("/sms/send?x=secret", {
		method: "POST",
		apiKey,
		headers: { "x-request-id": "mine-2" },
		body: { to: "+33612345678", message: "secret text", senderName: "ACME" },
	});
	expect(await logged(apiKey, "mine-2")).toMatchObject({
		route: "/sms/send",
		status: 400,
		error: {
			code: "validation_failed",
			details: [{ field: "x", code: "unknown_parameter" }],
		},
		request: {
			query: { x: "(6 characters)" },
			body: {
				to: "+*******5678",
				message: "(11 characters)",
				senderName: "ACME",
			},
		},
	});
});

test("what is refused before its body is read, an unknown path and an unknown method are logged too", async () => {
	const { apiKey } = world.accounts.addKey({
		scopes: ["requests:read"],
	});
	const id = uuidv7();
	const cases = [
		["POST", "/contacts", "/contacts", "insufficient_scope"],
		["GET", "/sms/mesages", null, "route_not_found"],
		["GET", "/sms/send", null, "method_not_allowed"],
		[
			"GET",
			`/campaigns/${id}`,
			"/campaigns/{campaignId}",
			"insufficient_scope",
		],
	] as const;
	for (const [method, path, route, code] of cases) {
		const requestId = uuidv7();
		const headers = { "x-request-id": requestId };
		await send(path, { method, apiKey, headers });
		expect(await logged(apiKey, requestId)).toMatchObject({
			method,
			path,
			route,
			error: { code, details: [] },
			request: { query: {}, body: null },
		});
	}
});

test("a request that nobody can be blamed for is not logged; another organization sees none of one's own", async () => {
	const own = world.accounts.addKey();
	const other = world.accounts.addKey();
	await send("/usage", { headers: { "x-request-id": "anonymous" } });
	await send("/usage", { ...own, headers: { "x-request-id": "own" } });
	await logged(own.apiKey, "own");
	expect(await listed(own.apiKey, "request_id=anonymous")).toEqual([]);
	expect(await listed(other.apiKey, "request_id=own")).toEqual([]);
	const { sql } = world.database;
	expect(
		await sql`select from requests where request_id = 'anonymous'`,
	).toHaveLength(0);
});

test("no table of the gateway holds the number, the text or the key of any request", async () => {
	const { apiKey } = world.accounts.addKey();
	const phone = "+33698765432";
	const digits = phone.slice(1);
	const post = (path: string, body: unknown, id = uuidv7()) =>
		send(path, {
			method: "POST",
			apiKey,
			body,
			headers: { "x-request-id": id },
		});
	await post("/sms/send", { to: phone, message: 5 });
	await post("/sms/send", { to: Number(digits), message: `call ${digits}` });
	await post("/contacts", { name: `Ada ${digits}`, phone: "x", [digits]: 1 });
	await post("/campaigns", { name: "a", recipients: [phone, { phone }] });
	await send(`/sms/messages?recipient=${digits}&status=x`, { apiKey });
	await send(`/sms/messages/${digits}`, { apiKey });
	await send(`/sms/messages/%2B${digits}`, { apiKey });
	await send(`/nowhere/${digits}`, { apiKey });
	await send(`/nowhere/${apiKey}`, { apiKey });
	await post("/sms/send", {}, `order-${digits}`);
	const line = await logged(apiKey, `order-${digits}`);
	expect(line.request_id).toBe("order-*******5432");
	const { sql } = world.database;
	for (const secret of [digits, "Ada", apiKey])
		expect(await tablesWith(sql, secret)).toEqual([]);
});

test("filters find by status, class, code, method, path, route, key and time, page by page", async () => {
	const { apiKey, apiKeyId, organizationId } = world.accounts.addKey();
	const lines = [
		{ status: 200, method: "GET", errorCode: null },
		{ status: 404, method: "GET", errorCode: "unknown_message" },
		{ status: 404, method: "DELETE", errorCode: "unknown_contact" },
		{ status: 429, method: "GET", errorCode: "rate_limited" },
		{ status: 499, method: "POST", errorCode: null },
	].map((line, nth) => ({
		...lineOf(organizationId),
		...line,
		createdAt: new Date(Date.parse("2999-01-01T00:00:00Z") + nth),
		path: `/sms/messages/${nth}`,
		apiKeyId: nth === 1 ? apiKeyId : uuidv7(),
		omitted: nth,
	}));
	await insertRequests(world.database.sql, lines);
	await insertRequests(world.database.sql, lines);
	const since = "date_from=2999-01-01";
	const found = async (query: string) =>
		(await listed(apiKey, `${since}&${query}`)).map(({ omitted }) => omitted);
	expect(await found("")).toEqual([4, 3, 2, 1, 0]);
	expect(await found("status=4xx")).toEqual([4, 3, 2, 1]);
	expect(await found("status=404")).toEqual([2, 1]);
	expect(await found("status=404&method=DELETE")).toEqual([2]);
	expect(await found("error_code=rate_limited")).toEqual([3]);
	expect(await found("path=/sms/messages/3")).toEqual([3]);
	expect(await found("path=/api/v1/sms/messages/3")).toEqual([3]);
	expect(await found("path=/sms/messages/{messageId}&limit=1")).toEqual([4]);
	expect(await found(`api_key_id=${apiKeyId}`)).toEqual([1]);
	expect(await found("date_to=2999-01-01T00:00:00.002Z")).toEqual([1, 0]);
	const seen: number[] = [];
	let cursor = "";
	do {
		const query = `/requests?${since}&status=4xx&limit=1${cursor && `&cursor=${cursor}`}`;
		const { body } = await send(query, { apiKey });
		for (const { omitted } of Object(body.requests)) seen.push(omitted);
		cursor = String(body.nextCursor ?? "");
	} while (cursor !== "");
	expect(seen).toEqual([4, 3, 2, 1]);
});

function lineOf(organizationId: string) {
	const line: RequestLine & { omitted: number } = {
		organizationId,
		createdAt: new Date(),
		id: uuidv7(),
		requestId: "",
		method: "GET",
		route: "/sms/messages/{messageId}",
		path: "/",
		status: 200,
		durationMs: 1,
		apiKeyId: uuidv7(),
		apiKeyPrefix: "",
		errorCode: null,
		details: null,
		request: null,
		omitted: 0,
	};
	return line;
}

/** A log of its own, whose lines the test stores. */
function createLog() {
	const requestLog = createRequestLog(
		createTelemetry(createMetrics("gateway")),
	);
	const ctx = { sql: world.database.sql, log: silentLog, requestLog };
	const add = (line: RequestLine) =>
		requestLog.add(
			{ organizationId: line.organizationId, refused: line.status >= 400 },
			() => line,
		);
	return { ctx, add };
}

test("the newest lines of each kind are kept, and of others none is lost for them", async () => {
	const { ctx, add } = createLog();
	const flooding = uuidv7();
	const quiet = uuidv7();
	add(lineOf(quiet));
	add({ ...lineOf(flooding), status: 400 });
	for (let nth = 0; nth < 60; nth++) {
		add({ ...lineOf(flooding), path: `/${nth}` });
		if (nth % 20 === 19) await storeRequests(ctx, 20);
	}
	const pathsOf = async (id: string) => {
		const rows = await ctx.sql<{ path: string }[]>`
			select path from requests
			where organization_id = ${id}
			order by created_at desc, id desc
		`;
		return rows.map(({ path }) => path);
	};
	expect(await pathsOf(quiet)).toEqual(["/"]);
	expect(await pathsOf(flooding)).toEqual([
		...Array.from({ length: 20 }, (_, nth) => `/${59 - nth}`),
		"/",
	]);
});

test("a line that the database refuses is let go, and holds back no other", async () => {
	const { ctx, add } = createLog();
	const organizationId = uuidv7();
	for (const path of ["/1", "/\u0000", "/3"])
		add({ ...lineOf(organizationId), path });
	await storeRequests(ctx);
	expect(ctx.requestLog.peek(1)).toEqual([]);
	expect(
		await ctx.sql`select from requests where organization_id = ${organizationId}`,
	).toHaveLength(2);
});

test("lines wait while the database is away, and are stored once it is back", async () => {
	const { ctx, add } = createLog();
	const organizationId = uuidv7();
	add(lineOf(organizationId));
	const { sql } = ctx;
	await sql`alter table requests rename to away`;
	await expect(storeRequests(ctx)).rejects.toThrow();
	expect(ctx.requestLog.peek(10)).toHaveLength(1);
	await sql`alter table away rename to requests`;
	await storeRequests(ctx);
	expect(
		await sql`select from requests where organization_id = ${organizationId}`,
	).toHaveLength(1);
});

test("who asks for requests while the database does not respond is told to ask again", async () => {
	const { apiKey } = world.accounts.addKey();
	const response = await world.database.sql.begin(async (sql) => {
		await sql`lock table requests`;
		return send("/requests", { apiKey });
	});
	expect(response.status, response.text).toBe(503);
	expect(response.headers.get("retry-after")).not.toBeNull();
});

test("lines of more than seven days ago are deleted", async () => {
	const { sql } = world.database;
	const organizationId = uuidv7();
	const daysAgo = (days: number) => ({
		...lineOf(organizationId),
		createdAt: new Date(Date.now() - days * 86_400_000),
	});
	await insertRequests(sql, [daysAgo(7.1), daysAgo(6.9)]);
	await deleteOldLines({ sql });
	expect(
		await sql`select from requests where organization_id = ${organizationId}`,
	).toHaveLength(1);
});

test("with nothing to log no statement is run", async () => {
	const { ctx } = createLog();
	const away = Object.assign(() => expect.fail("a statement"), {});
	expect(await storeRequests({ ...ctx, sql: Object(away) })).toBe(0);
});

test("a gateway that stops stores what it still has", async () => {
	const gateway = await world.startGateway();
	const { apiKey, organizationId } = world.accounts.addKey();
	const url = `http://127.0.0.1:${gateway.port}/api/v1`;
	for (let count = 0; count < 5; count++) await call(url, "/usage", { apiKey });
	await gateway.close();
	expect(
		await world.database
			.sql`select from requests where organization_id = ${organizationId}`,
	).toHaveLength(5);
});

test("whatever a client sends is logged, and listed in the form that is documented", async () => {
	const { apiKey } = world.accounts.addKey();
	await fc.assert(
		fc.asyncProperty(anyValue, anyText, async (body, text) => {
			const query = new URLSearchParams([[text, text]]);
			await send(`/sms/send?${query}`, { method: "POST", apiKey, body });
		}),
		RUNS,
	);
	const requestId = uuidv7();
	await send("/usage", { apiKey, headers: { "x-request-id": requestId } });
	await logged(apiKey, requestId);
	expect((await listed(apiKey, "limit=200&status=4xx")).length).toBeGreaterThan(
		0,
	);
});
