import { createServer, type Server } from "node:net";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { assertReceivingUrl } from "../src/assert-receiving-url.ts";
import type { Context } from "../src/context.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	openDatabase,
	outcomeEvent,
	takeIn,
} from "./support/stage.ts";

/** Addresses from the name server for one look-up after another; the last one stays. */
const ADDRESSES: Record<string, string[][]> = {
	"loopback.example": [["127.0.0.1"]],
	"loopback6.example": [["::1"]],
	"metadata.example": [["169.254.169.254"]],
	"private.example": [["10.0.0.7"]],
	"cgnat.example": [["100.64.0.1"]],
	"mapped.example": [["::ffff:127.0.0.1"]],
	"nat64.example": [["64:ff9b::7f00:1"]],
	"6to4.example": [["2002:7f00:1::"]],
	"zero.example": [["0.0.0.0"]],
	"mixed.example": [["93.184.216.34", "127.0.0.1"]],
	"mixed6.example": [["2606:4700:4700::1111", "::1"]],
	"odd.example": [["0x7f000001"]],
	"rebinding.example": [["93.184.216.34"], ["127.0.0.1"]],
};

const LITERALS = [
	"127.0.0.1",
	"127.1",
	"2130706433",
	"0177.0.0.1",
	"0x7f000001",
	"１２７.０.０.１",
	"127.0.0.1.",
	"0.0.0.0",
	"[::1]",
	"[::]",
	"[::ffff:127.0.0.1]",
	"[64:ff9b::7f00:1]",
	"[2002:7f00:1::]",
	"localhost",
	"localhost.",
	"user@127.0.0.1",
	"example.com@127.0.0.1",
];

let database: TestDatabase;
let canary: Server;
let port: number;
let connections = 0;
let lookups: Map<string, number>;
let ctx: Context;

beforeAll(async () => {
	database = await openDatabase();
	canary = createServer((socket) => {
		connections++;
		socket.destroy();
	});
	await new Promise<void>((resolve) => canary.listen(0, "::", resolve));
	const address = canary.address();
	port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(async () => {
	await new Promise((resolve) => canary.close(resolve));
	await database.drop();
});
beforeEach(async () => {
	lookups = new Map();
	ctx = await createStageContext(database, {
		allowPrivateAddresses: false,
		resolve,
		attemptTimeoutMs: 500,
	});
	return () => ctx.poster.close();
});

async function resolve(hostname: string): Promise<string[]> {
	const turns = ADDRESSES[hostname] ?? [["127.0.0.1"]];
	const turn = lookups.get(hostname) ?? 0;
	lookups.set(hostname, turn + 1);
	return turns[Math.min(turn, turns.length - 1)] ?? [];
}

const hosts = [...Object.keys(ADDRESSES), ...LITERALS];

describe("registration refuses a URL that leads inside", () => {
	it.each(hosts.filter((host) => host !== "rebinding.example"))(
		"%s",
		async (host) => {
			await expect(
				assertReceivingUrl(ctx, `https://${host}:${port}/`),
			).rejects.toMatchObject({
				kind: "invalid",
				reason: "invalid_webhook_url",
				field: "url",
			});
		},
	);

	it("but accepts a public address, and a name that has no address yet", async () => {
		await assertReceivingUrl(ctx, "https://93.184.216.34/hook");
		await assertReceivingUrl(ctx, "https://rebinding.example/hook");
		const lost = await createStageContext(database, {
			allowPrivateAddresses: false,
			resolve: () => Promise.reject(new Error("no such name")),
		});
		await assertReceivingUrl(lost, "https://new.example/hook");
	});

	it("and does not wait for a silent name server", async () => {
		const silent = await createStageContext(database, {
			allowPrivateAddresses: false,
			resolve: () => new Promise(() => {}),
		});
		await assertReceivingUrl(silent, "https://silent.example/hook");
	});
});

describe("the sender connects to nobody inside, whatever was registered", () => {
	it.each(hosts.flatMap((host) => [`http://${host}`, `https://${host}`]))(
		"%s",
		async (origin) => {
			if (origin.endsWith("rebinding.example"))
				await assertReceivingUrl(ctx, origin);
			const endpoint = await addEndpoint(ctx, `${origin}:${port}/hook`);
			await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
			await deliverAll(ctx);
			expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
				{ state: "pending", attempt: 1, lastError: "address_not_allowed" },
			]);
			expect(connections).toBe(0);
		},
	);

	it("asks for a name's addresses once per connection, so that no second look-up counts", async () => {
		const endpoint = await addEndpoint(ctx, `http://once.example:${port}/`);
		await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
		await deliverAll(ctx);
		expect(lookups.get("once.example")).toBe(1);
	});
});

it("the canary does see a connection when private addresses are allowed", async () => {
	const lenient = await createStageContext(database, { resolve });
	const endpoint = await addEndpoint(
		lenient,
		`http://loopback.example:${port}/`,
	);
	await takeIn(lenient, [outcomeEvent(endpoint.organizationId)]);
	await deliverAll(lenient);
	expect(connections).toBeGreaterThan(0);
	await lenient.poster.close();
});
