import dns from "node:dns";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "./call.ts";
import { exchange, statusesOf } from "./raw.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

describe("request ids", () => {
	test.each(["abc", "A.b_c:d-9", "x".repeat(128)])(
		"the caller's %s comes back",
		async (id) => {
			const { headers } = await call(world.baseUrl, "/", {
				headers: { "x-request-id": id },
			});
			expect(headers.get("x-request-id")).toBe(id);
		},
	);

	test.each(["", "a b", "x".repeat(129), "a,b", "<script>"])(
		"%j is replaced by a new one",
		async (id) => {
			const response = await call(world.baseUrl, "/nothing", {
				headers: { "x-request-id": id },
			});
			expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
		},
	);
});

describe("what the HTTP parser refuses has the one error shape too", () => {
	test.each([
		[
			"a 1 MB header",
			`GET /api/v1/ HTTP/1.1\r\nhost: x\r\nx-api-key: ${"k".repeat(1_000_000)}\r\n\r\n`,
			431,
			"headers_too_large",
		],
		[
			"a 1 MB path",
			`GET /${"p".repeat(1_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
			431,
			"headers_too_large",
		],
		["no HTTP", "hello\r\n\r\n", 400, "bad_request"],
		[
			"a header without a name",
			"GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n",
			400,
			"bad_request",
		],
		[
			"two lengths",
			"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
			400,
			"bad_request",
		],
		[
			"a length and chunks",
			"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
			400,
			"bad_request",
		],
	])("%s", async (_name, bytes, status, code) => {
		const text = await exchange(world.baseUrl, [bytes]);
		const [head = "", body = ""] = text.split("\r\n\r\n");
		expect(head).toContain(`HTTP/1.1 ${status} `);
		const id = /x-request-id: (\S+)/.exec(head)?.[1];
		expect(JSON.parse(body)).toEqual({
			success: false,
			error: { code, message: expect.any(String), details: [] },
			requestId: id,
		});
	});

	test.each([
		["a broken escape in the path", "/%zz", 400, "bad_request"],
		["an endless id", `/webhooks/${"x".repeat(501)}`, 404, "route_not_found"],
	])("%s", async (_name, path, status, code) => {
		const response = await fetch(world.baseUrl + path, { method: "DELETE" });
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({
			success: false,
			error: { code, details: [] },
			requestId: response.headers.get("x-request-id"),
		});
	});

	test.each([
		[
			"no Host",
			"GET /api/v1/health HTTP/1.1\r\nconnection: close\r\n\r\n",
			400,
		],
		["no Host in HTTP/1.0", "GET /api/v1/health HTTP/1.0\r\n\r\n", 200],
		[
			"an odd Host",
			"GET /api/v1/health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n",
			200,
		],
		[
			"an unknown expectation",
			"GET /api/v1/health HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n",
			200,
		],
		[
			"an upgrade",
			"GET /api/v1/health HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n",
			200,
		],
	])("%s gets a response with a request id", async (_name, bytes, status) => {
		const text = await exchange(world.baseUrl, [bytes]);
		expect(statusesOf(text)).toEqual([status]);
		expect(text).toMatch(/x-request-id: /);
	});
});

test("a host of several addresses is listened on at one, with all that belongs to it", async () => {
	const addresses = ["127.0.0.1", "127.0.0.2"];
	const lookup = new Proxy(dns.lookup, {
		apply: (lookup, self, args) => {
			const [name, options, done] = args;
			if (name !== "localhost" || options.all !== true)
				return Reflect.apply(lookup, self, args);
			done(
				null,
				addresses.map((address) => ({ address, family: 4 })),
			);
		},
	});
	const spy = vi.spyOn(dns, "lookup").mockImplementation(lookup);
	const other = await world.startGateway({ env: { HTTP_HOST: "localhost" } });
	spy.mockRestore();
	const responses = await Promise.allSettled(
		[...addresses, "[::1]"].map((host) =>
			fetch(`http://${host}:${other.port}/api/v1/health`),
		),
	);
	const fulfilled = responses.filter(({ status }) => status === "fulfilled");
	expect(fulfilled).toHaveLength(1);
	await other.close();
});

describe("headers", () => {
	test("no response is stored or sniffed", async () => {
		const { headers } = await call(world.baseUrl, "/sender-ids", { apiKey });
		expect(headers.get("cache-control")).toBe("no-store");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("access-control-allow-origin")).toBeNull();
	});
});

describe("the API reference", () => {
	test("its page names no other host and may load from none", async () => {
		const { text, headers } = await call(world.baseUrl, "/docs");
		expect(text).not.toMatch(/https?:|\/\/[a-z]/i);
		const policy = headers.get("content-security-policy") ?? "";
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("script-src 'self';");
		expect(policy).toContain("connect-src 'self';");
		expect(policy).not.toMatch(/https?:|\*/);
	});

	test("the OpenAPI document is compressed for who takes gzip, and 304 for who has it", async () => {
		const get = (headers: Record<string, string>) =>
			call(world.baseUrl, "/openapi.json", { headers });
		const plain = await get({ "accept-encoding": "identity" });
		expect(plain.headers.get("content-encoding")).toBeNull();
		const small = await get({ "accept-encoding": "br, gzip" });
		expect(small.headers.get("content-encoding")).toBe("gzip");
		expect(small.text).toBe(plain.text);
		const refused = await get({ "accept-encoding": "gzip;q=0" });
		expect(refused.headers.get("content-encoding")).toBeNull();
		const etag = plain.headers.get("etag") ?? "";
		const again = await get({ "if-none-match": `"other", ${etag}` });
		expect([again.status, again.text]).toEqual([304, ""]);
		expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
	});

	test("an address gets 16 MiB of the uncompressed document at once, then is told to wait; 304 and small responses go on", async () => {
		// Time stands still: an address may have more while a busy machine takes one after another.
		const other = await world.startGateway({ monotonicMs: () => 0 });
		const url = `http://127.0.0.1:${other.port}/api/v1/openapi.json`;
		const get = (headers: Record<string, string>) => fetch(url, { headers });
		const responses = await Promise.all(
			Array.from({ length: 150 }, async () => {
				const response = await get({ "accept-encoding": "identity" });
				const { byteLength } = await response.arrayBuffer();
				return { response, byteLength };
			}),
		);
		const served = responses.filter(({ response }) => response.ok);
		const bytes = served.reduce((sum, { byteLength }) => sum + byteLength, 0);
		expect(bytes / 2 ** 20).toBeGreaterThan(15);
		expect(bytes / 2 ** 20).toBeLessThan(17);
		const refused = responses.filter(({ response }) => response.status === 429);
		expect(refused.length).toBeGreaterThan(10);
		expect(refused[0]?.response.headers.get("retry-after")).toBe("1");
		const etag = served[0]?.response.headers.get("etag") ?? "";
		expect((await get({ "if-none-match": etag })).status).toBe(304);
		const root = url.replace("/openapi.json", "/");
		expect((await fetch(root)).status).toBe(200);
		await other.close();
	});

	test("its scripts come from us and are cached by their content", async () => {
		const page = (await call(world.baseUrl, "/docs")).text;
		const scripts = [...page.matchAll(/src="([^"]+)"/g)].map(
			(match) => match[1],
		);
		expect(scripts).toEqual(["docs/scalar.js", "docs/start.js"]);
		const script = await call(world.baseUrl, "/docs/scalar.js");
		expect(script.headers.get("content-type")).toMatch(/^text\/javascript/);
		expect(script.text.length).toBeGreaterThan(1_000_000);
		const etag = script.headers.get("etag") ?? "";
		const again = await call(world.baseUrl, "/docs/scalar.js", {
			headers: { "if-none-match": etag },
		});
		expect([again.status, again.text]).toEqual([304, ""]);
		const start = await call(world.baseUrl, "/docs/start.js");
		expect(start.text).not.toMatch(/https?:/);
	});

	test("an API key that is pasted there is sent at once: a scheme that every operation with a key takes is preselected", async () => {
		const { text } = await call(world.baseUrl, "/docs/start.js");
		const configuration = JSON.parse(text.slice(text.indexOf("{"), -3));
		const { preferredSecurityScheme } = configuration.authentication;
		const document = JSON.parse(
			(await call(world.baseUrl, "/openapi.json")).text,
		);
		expect(document.components.securitySchemes).toMatchObject({
			[preferredSecurityScheme]: { type: "http", scheme: "bearer" },
		});
		const operations = Object.values<object>(document.paths).flatMap((path) =>
			Object.values<{ security: object[] }>({ ...path }),
		);
		const withKey = operations.filter(({ security }) => security.length > 0);
		expect(withKey.length).toBeGreaterThan(20);
		for (const { security } of withKey)
			expect(security).toContainEqual({ [preferredSecurityScheme]: [] });
	});
});

/** The response to a body that is written to its end, whatever comes meanwhile. */
async function responseTo(body: Buffer): Promise<IncomingMessage> {
	const request = httpRequest(`${world.baseUrl}/sms/send`, {
		method: "POST",
		headers: { "x-api-key": apiKey, "content-type": "application/json" },
	});
	request.end(body);
	const [[response]] = await Promise.all([
		once(request, "response"),
		once(request, "finish"),
	]);
	return response.resume();
}

test.each([2, 5, 20])(
	"who writes all of a body of %i MB gets a 413",
	async (megabytes) => {
		const body = Buffer.alloc(megabytes * 1_048_576, "x");
		for (let time = 0; time < 5; time++)
			expect(await responseTo(body)).toMatchObject({ statusCode: 413 });
	},
);
