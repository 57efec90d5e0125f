import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { call } from "./call.ts";
import { randomApiKey } from "./random-api-key.ts";
import { startWorld } from "./world.ts";

/** `KEY_SCAN=real` takes the two minutes by the wall clock; otherwise the clock is moved on. */
const IS_REAL = process.env.KEY_SCAN === "real";
const MINUTES = 2;
const BAD_KEYS_PER_MINUTE = 400;
const VALID_EVERY = 20;

async function startScan() {
	const startedAtMs = Date.now();
	let passedMs = 0;
	const nowMs = IS_REAL ? Date.now : () => startedAtMs + passedMs;
	const world = await startWorld({ nowMs, monotonicMs: nowMs });
	onTestFinished(() => world.close());
	return {
		world,
		/** Lets so much time pass since the start. */
		passTo: async (ms: number) => {
			passedMs = ms;
			if (IS_REAL) await delay(Math.max(0, startedAtMs + ms - Date.now()));
		},
	};
}

test(
	"a valid key is never locked out: all its requests pass beside 400 bad keys a minute from the same address",
	async () => {
		const { world, passTo } = await startScan();
		const valid = world.accounts.addKey();
		const get = (apiKey: string) =>
			call(world.baseUrl, "/sender-ids", { apiKey });
		const refused = new Map<string, number>();
		const scanned = MINUTES * BAD_KEYS_PER_MINUTE;
		for (let count = 1; count <= scanned; count++) {
			await passTo((count * 60_000) / BAD_KEYS_PER_MINUTE);
			const { body } = await get(randomApiKey());
			const code = body.error?.code ?? "none";
			refused.set(code, (refused.get(code) ?? 0) + 1);
			if (count % VALID_EVERY === 0)
				expect((await get(valid.apiKey)).status).toBe(200);
			// Never seen before, like the first request of any customer.
			if (count % VALID_EVERY === 0)
				expect((await get(world.accounts.addKey().apiKey)).status).toBe(200);
		}
		const { invalid_api_key = 0, too_many_failures = 0 } =
			Object.fromEntries(refused);
		expect(invalid_api_key + too_many_failures).toBe(scanned);
		expect(too_many_failures).toBeGreaterThan(scanned / 5);
	},
	(MINUTES + 1) * 60_000,
);
