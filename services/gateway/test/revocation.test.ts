import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { baseUrlOf, startWorld, type World } from "./world.ts";

let world: World;
/** What the gateways take for the present time, by the monotonic clock. */
let monotonicMs = 1_000_000;
/** How far the wall clock was stepped, ms. */
let steppedMs = 0;

const clocks = {
	monotonicMs: () => monotonicMs,
	nowMs: () => Date.now() + steppedMs,
};

beforeAll(async () => {
	world = await startWorld(clocks);
});
afterAll(() => world.close());

const get = (options: CallOptions = {}) =>
	call(world.baseUrl, "/sender-ids", options);

async function announce(
	organizationId: string,
	change: MessageInitShape<typeof AccountChangeSchema>["change"],
): Promise<void> {
	const payload = create(AccountChangeSchema, {
		organizationId,
		...(change === undefined ? {} : { change }),
	});
	await world.bus.publish([
		{
			id: uuidv7(),
			topic: topics.accountsChange,
			type: "changed",
			key: organizationId,
			organizationId,
			payload: toBinary(AccountChangeSchema, payload),
		},
	]);
}

test("with the bus up every gateway refuses a revoked key within 2 s, at least one of five", async () => {
	const other = await world.startGateway(clocks);
	const urls = [world.baseUrl, baseUrlOf(other)];
	let tookMs = Infinity;
	for (let tries = 0; tries < 5 && tookMs > 2_000; tries++) {
		const key = world.accounts.addKey();
		const ask = (url: string) => call(url, "/sender-ids", key);
		for (const url of urls) expect((await ask(url)).status).toBe(200);
		key.revoked = true;
		const revokedAt = performance.now();
		await announce(key.organizationId, {
			case: "apiKeyRevoked",
			value: { apiKeyId: key.apiKeyId },
		});
		for (const url of urls)
			await eventually(async () => expect((await ask(url)).status).toBe(401));
		tookMs = performance.now() - revokedAt;
	}
	expect(tookMs).toBeLessThanOrEqual(2_000);
});

test("a key that is revoked through a gateway is refused by it at once, whatever the bus does", async () => {
	const caller = world.accounts.addKey();
	const { organizationId } = caller;
	const key = world.accounts.addKey({ organizationId });
	expect((await get(key)).status).toBe(200);
	world.account.addKey(key);
	key.revoked = true;
	expect((await get(key)).status).toBe(200);
	const { status } = await call(
		world.baseUrl,
		`/api-keys/${key.apiKeyId.toUpperCase()}`,
		{ method: "DELETE", apiKey: caller.apiKey },
	);
	expect(status).toBe(200);
	expect((await get(key)).status).toBe(401);
	expect(world.account.lastCallerId).toBe(caller.apiKeyId);
});

test("without any news a revoked key is refused after 10 s", async () => {
	const key = world.accounts.addKey();
	expect((await get(key)).status).toBe(200);
	key.revoked = true;
	monotonicMs += 4_999;
	expect((await get(key)).status).toBe(200);
	monotonicMs += 5_002;
	expect((await get(key)).status).toBe(401);
});

test.each([-300_000, 300_000])(
	"a wall clock that steps by %i ms keeps no revoked key alive",
	async (stepMs) => {
		const key = world.accounts.addKey();
		expect((await get(key)).status).toBe(200);
		key.revoked = true;
		steppedMs = stepMs;
		monotonicMs += 10_001;
		expect((await get(key)).status).toBe(401);
		steppedMs = 0;
	},
);

test("a key in use is verified again beside the traffic, before its 10 s are over", async () => {
	const key = world.accounts.addKey();
	expect((await get(key)).status).toBe(200);
	const before = world.accounts.calls;
	key.revoked = true;
	monotonicMs += 5_000;
	expect((await get(key)).status).toBe(200);
	await eventually(() => expect(world.accounts.calls).toBe(before + 1));
	await eventually(async () => expect((await get(key)).status).toBe(401));
});

test("a suspension and its end are heard of", async () => {
	const key = world.accounts.addKey();
	for (const [state, status] of [
		["suspended", 403],
		["active", 200],
	] as const) {
		await get(key);
		key.organizationState = state;
		await announce(key.organizationId, {
			case: "organizationChanged",
			value: { state },
		});
		await eventually(async () => expect((await get(key)).status).toBe(status));
	}
});

test("a change that cannot be read forgets the organization's keys", async () => {
	const key = world.accounts.addKey();
	await get(key);
	key.revoked = true;
	await world.bus.publish([
		{
			id: uuidv7(),
			topic: topics.accountsChange,
			type: "changed",
			key: key.organizationId,
			organizationId: key.organizationId,
			payload: Buffer.from([0xff, 0xff]),
		},
	]);
	await eventually(async () => expect((await get(key)).status).toBe(401));
});
