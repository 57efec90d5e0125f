import { eventually } from "@airtower/platform/testing/eventually";
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { type CallOptions, call } from "./call.ts";
import { randomApiKey } from "./random-api-key.ts";
import { exchange, statusesOf } from "./raw.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
/** What the gateway takes for the present time. */
let nowMs = Date.now();

beforeAll(async () => {
	world = await startWorld({
		nowMs: () => nowMs,
		monotonicMs: () => nowMs,
		env: { FAILED_AUTH_LIMIT: "20", TRUST_PROXY: "loopback" },
	});
});
afterAll(() => world.close());
beforeEach(() => {
	nowMs += 120_000;
});

const get = (options: CallOptions = {}) =>
	call(world.baseUrl, "/sender-ids", options);

describe("keys", () => {
	test("either header is enough; both with the same key are fine", async () => {
		const { apiKey } = world.accounts.addKey();
		for (const headers of [
			{ authorization: `Bearer ${apiKey}` },
			{ authorization: `bearer ${apiKey}` },
			{ "x-api-key": apiKey },
			{ authorization: `Bearer ${apiKey}`, "x-api-key": apiKey },
		])
			expect((await get({ headers })).status).toBe(200);
	});

	test("two good keys that differ are 401", async () => {
		const [one, two] = [world.accounts.addKey(), world.accounts.addKey()];
		const { status, headers, body } = await get({
			headers: {
				authorization: `Bearer ${one.apiKey}`,
				"x-api-key": two.apiKey,
			},
		});
		expect([status, body.error?.code]).toEqual([401, "invalid_api_key"]);
		expect(headers.get("www-authenticate")).toContain("Bearer");
	});

	test("two authorizations are 401, whichever of them is good", async () => {
		const { apiKey } = world.accounts.addKey();
		const text = await exchange(world.baseUrl, [
			"GET /api/v1/sender-ids HTTP/1.1\r\nhost: airtower\r\nconnection: close\r\n",
			`authorization: Bearer ${apiKey}\r\nauthorization: Bearer x\r\n\r\n`,
		]);
		expect(statusesOf(text)).toEqual([401]);
	});

	test("a key with a wrong checksum is refused without a question to accounts", async () => {
		const { apiKey } = world.accounts.addKey();
		const before = world.accounts.calls;
		const last = apiKey.endsWith("0") ? "1" : "0";
		const { status } = await get({ apiKey: apiKey.slice(0, -1) + last });
		expect(status).toBe(401);
		expect(world.accounts.calls).toBe(before);
	});

	test("malformed, unknown, revoked and expired keys get the same response", async () => {
		const revoked = world.accounts.addKey();
		revoked.revoked = true;
		const expired = world.accounts.addKey({ expiresAtMs: Date.now() - 1 });
		const keys = [
			"at_live_short",
			randomApiKey(),
			revoked.apiKey,
			expired.apiKey,
		];
		const responses = await Promise.all(keys.map((apiKey) => get({ apiKey })));
		const errors = responses.map(({ status, body }) => [status, body.error]);
		for (const error of errors) expect(error).toEqual(errors[0]);
		expect(responses[0]?.body.error?.code).toBe("invalid_api_key");
	});

	test("a key that expires is refused from that moment on", async () => {
		const { apiKey } = world.accounts.addKey({ expiresAtMs: nowMs + 1_000 });
		expect((await get({ apiKey })).status).toBe(200);
		nowMs += 1_000;
		expect((await get({ apiKey })).status).toBe(401);
	});

	test("keys that come together are verified together, each key once", async () => {
		const { apiKey } = world.accounts.addKey();
		const before = world.accounts.calls;
		await Promise.all(Array.from({ length: 50 }, () => get({ apiKey })));
		expect(world.accounts.calls - before).toBe(1);
	});

	test("while accounts is down known keys work on for 10 s, others are 503", async () => {
		const { apiKey } = world.accounts.addKey();
		expect((await get({ apiKey })).status).toBe(200);
		await world.stopService("accounts");
		nowMs += 10_000;
		expect((await get({ apiKey })).status).toBe(200);
		nowMs += 1;
		const { status, headers, body } = await get({ apiKey });
		await world.restartService("accounts");
		expect([status, body.error?.code]).toEqual([503, "service_unavailable"]);
		expect(headers.get("retry-after")).toBe("1");
		await eventually(async () => {
			expect((await get({ apiKey })).status).toBe(200);
		});
	});
});

describe("failed authentications", () => {
	const from = (address: string) => ({ "x-forwarded-for": address });

	test("an address that fails too often is told so; its valid keys and other addresses are not", async () => {
		const good = world.accounts.addKey();
		expect((await get({ ...good, headers: from("203.0.113.7") })).status).toBe(
			200,
		);
		for (let count = 0; count < 20; count++) {
			const apiKey = randomApiKey();
			const headers = from("203.0.113.7");
			expect((await get({ apiKey, headers })).status).toBe(401);
		}
		for (const apiKey of [undefined, "at_live_short", randomApiKey()]) {
			const key = apiKey === undefined ? {} : { apiKey };
			const blocked = await get({ ...key, headers: from("203.0.113.7") });
			expect([blocked.status, blocked.body.error?.code]).toEqual([
				429,
				"too_many_failures",
			]);
			expect(Number(blocked.headers.get("retry-after"))).toBe(60);
		}
		const fresh = world.accounts.addKey();
		for (const headers of [from("203.0.113.7"), from("203.0.113.8")])
			for (const key of [good, fresh])
				expect((await get({ ...key, headers })).status).toBe(200);
		expect((await get({ headers: from("203.0.113.8") })).status).toBe(401);
		nowMs += 60_001;
		expect((await get({ headers: from("203.0.113.7") })).status).toBe(401);
	});

	test("the addresses of one IPv6 network count together", async () => {
		for (let host = 0; host < 20; host++)
			await get({ headers: from(`2001:db8:1:2::${host + 1}`) });
		const blocked = await get({ headers: from("2001:db8:1:2:ffff::1") });
		expect(blocked.status).toBe(429);
		expect((await get({ headers: from("2001:db8:1:3::1") })).status).toBe(401);
	});
});
