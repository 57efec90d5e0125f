import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { call } from "./call.ts";
import { baseUrlOf, startWorld, type World } from "./world.ts";

let world: World;
/** Stands still within one window, in its middle. */
let nowMs = Math.floor(Date.now() / 60_000) * 60_000 + 30_000;

beforeAll(async () => {
	world = await startWorld({ nowMs: () => nowMs });
});
afterAll(() => world.close());

/**
 * Runs a test's requests again, in another window, where some were judged without the store of the windows: a stall of
 * the machine keeps it from responding within half a second.
 */
async function withoutStalls<T>(
	gateways: readonly { readonly opsPort: number }[],
	run: () => Promise<T>,
): Promise<T> {
	for (;;) {
		const before = await countLocal(gateways);
		const result = await run();
		if ((await countLocal(gateways)) === before) return result;
		nowMs += 60_000;
	}
}

/** Requests that these gateways have judged without the store. */
async function countLocal(
	gateways: readonly { readonly opsPort: number }[],
): Promise<number> {
	const counts = await Promise.all(
		gateways.map(async ({ opsPort }) => {
			const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
			const [, value] =
				/^gateway_rate_local_decisions_total\S* (\d+)$/m.exec(
					await metrics.text(),
				) ?? [];
			expect(value).toBeDefined();
			return Number(value);
		}),
	);
	return counts.reduce((sum, count) => sum + count);
}

test("two gateways let exactly the limit pass together, as long as the store responds in time", async () => {
	const other = await world.startGateway({ nowMs: () => nowMs });
	const urls = [world.baseUrl, baseUrlOf(other)];
	async function spendWindow(): Promise<[passed: number, refused: number]> {
		const { apiKey } = world.accounts.addKey({ rateLimit: 300 });
		const statuses = await Promise.all(
			Array.from({ length: 40 }, async (_, worker) => {
				const seen: number[] = [];
				for (let count = 0; count < 20; count++) {
					const url = urls[worker % 2] ?? "";
					seen.push((await call(url, "/sender-ids", { apiKey })).status);
				}
				return seen;
			}),
		);
		const count = (wanted: number) =>
			statuses.flat().filter((status) => status === wanted).length;
		return [count(200), count(429)];
	}
	const seen = await withoutStalls([world.gateway, other], spendWindow);
	expect(seen).toEqual([300, 500]);
});

test("the headers count down, on errors too, and name the end of the window", async () => {
	const { seen, refused } = await withoutStalls([world.gateway], async () => {
		const { apiKey } = world.accounts.addKey({ rateLimit: 4 });
		const seen = [];
		for (const [method, path] of [
			["GET", "/sender-ids"],
			["GET", "/webhooks?limit=0"],
			["POST", "/sms/send"],
			["DELETE", "/webhooks/x"],
			["GET", "/sender-ids"],
		] as const) {
			const { status, headers } = await call(world.baseUrl, path, {
				method,
				apiKey,
			});
			const [limit, remaining, reset] = ["limit", "remaining", "reset"].map(
				(name) => Number(headers.get(`x-ratelimit-${name}`)),
			);
			const endsIn = (reset ?? 0) - nowMs / 1_000;
			seen.push([status, limit, remaining, endsIn]);
		}
		const refused = await call(world.baseUrl, "/sender-ids", { apiKey });
		return { seen, refused };
	});
	expect(seen).toEqual([
		[200, 4, 3, 30],
		[400, 4, 2, 30],
		[400, 4, 1, 30],
		[404, 4, 0, 30],
		[429, 4, 0, 30],
	]);
	expect(refused.headers.get("retry-after")).toBe("30");
});

test("each key has a limit of its own, and keys are no way around that of their organization", async () => {
	const seen = await withoutStalls([world.gateway], async () => {
		const limits = { rateLimit: 3, organizationRateLimit: 5 };
		const one = world.accounts.addKey(limits);
		const { organizationId } = one;
		const two = world.accounts.addKey({ ...limits, organizationId });
		const three = world.accounts.addKey({ ...limits, organizationId });
		const stranger = world.accounts.addKey(limits);
		const seen = [];
		for (const key of [one, one, one, one, two, three, two, three, stranger]) {
			const { status, headers } = await call(world.baseUrl, "/sender-ids", key);
			const [limit, left] = ["limit", "remaining"].map((name) =>
				Number(headers.get(`x-ratelimit-${name}`)),
			);
			seen.push([status, limit, left]);
		}
		return seen;
	});
	expect(seen).toEqual([
		[200, 3, 2],
		[200, 3, 1],
		[200, 3, 0],
		[429, 3, 0],
		[200, 5, 1],
		[200, 5, 0],
		[429, 5, 0],
		[429, 5, 0],
		[200, 3, 2],
	]);
});

test("requests go on when the store of the windows is gone", async () => {
	const { apiKey } = world.accounts.addKey({ rateLimit: 5 });
	await world.database.sql`alter table rate_windows rename to gone`;
	const statuses = [];
	for (let count = 0; count < 7; count++)
		statuses.push(
			(await call(world.baseUrl, "/sender-ids", { apiKey })).status,
		);
	await world.database.sql`alter table gone rename to rate_windows`;
	expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test("a path that is no route counts and tells the limit where the key is valid, and nothing where it is not", async () => {
	const path = "/no/such/path";
	const known = await withoutStalls([world.gateway], async () => {
		const { apiKey } = world.accounts.addKey({ rateLimit: 2 });
		const seen = [];
		for (let count = 0; count < 3; count++) {
			const { status, headers } = await call(world.baseUrl, path, { apiKey });
			seen.push([status, headers.get("x-ratelimit-remaining")]);
		}
		return seen;
	});
	expect(known).toEqual([
		[404, "1"],
		[404, "0"],
		[429, "0"],
	]);
	const { apiKey } = world.accounts.addKey({ rateLimit: 2 });
	const stranger = await call(world.baseUrl, path, {
		apiKey: `${apiKey.slice(0, -1)}_`,
	});
	expect(stranger.status).toBe(404);
	expect(stranger.headers.get("x-ratelimit-limit")).toBeNull();
});

test("the bodies of one organization have so many bytes, and take nothing from others", async () => {
	// Time stands still: a busy machine takes so long for the bodies that most of them are allowed again meanwhile.
	const other = await world.startGateway({ monotonicMs: () => 0 });
	onTestFinished(other.close);
	const baseUrl = baseUrlOf(other);
	const noisy = world.accounts.addKey({ rateLimit: 1_000 });
	const quiet = world.accounts.addKey({ rateLimit: 1_000 });
	const raw = JSON.stringify({ wrong: "a".repeat(60_000) });
	const post = (apiKey: string) =>
		call(baseUrl, "/sms/send", { method: "POST", apiKey, raw });
	const statuses = new Set<number>();
	let last = await post(noisy.apiKey);
	for (let count = 0; count < 600 && last.status !== 429; count++) {
		statuses.add(last.status);
		last = await post(noisy.apiKey);
	}
	expect([...statuses]).toEqual([400]);
	expect(last.body.error?.code).toBe("rate_limited");
	expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
	expect((await post(quiet.apiKey)).status).toBe(400);
});
