import { readFile } from "node:fs/promises";
import type { TestDatabase } from "@airtower/platform/testing/database";
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
	vi,
} from "vitest";
import { assertReceivingUrl } from "../src/assert-receiving-url.ts";
import type { Context } from "../src/context.ts";
import { closedPort, deafPort, startProxy } from "./support/proxy.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	letTimePass,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	type StageOptions,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let receiver: Receiver;
let closers: (() => Promise<unknown>)[];

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	await database.sql`truncate delivery_queue`;
	receiver = await startReceiver();
	closers = [() => receiver.close()];
	return async () => {
		for (const close of closers) await close();
	};
});

async function contextWith(options: StageOptions): Promise<Context> {
	const ctx = await createStageContext(database, {
		resolve: async () => ["127.0.0.1"],
		...options,
	});
	closers.unshift(() => ctx.poster.close());
	return ctx;
}

/** What became of one event to a URL that somebody registered before. */
async function send(ctx: Context, url: string) {
	const { id, organizationId } = await addEndpoint(ctx, url);
	await takeIn(ctx, [outcomeEvent(organizationId)]);
	await deliverAll(ctx);
	const [delivery] = await deliveriesTo(ctx, id);
	return delivery;
}

describe("networks and ports that the deployment names are never dialled", () => {
	it.each<[string, StageOptions]>([
		["a network", { blockedNetworks: ["198.51.100.0/24", "127.0.0.0/8"] }],
		["an address", { blockedNetworks: ["127.0.0.1"] }],
		["every port", { blockedPorts: ["1-65535"] }],
	])(
		"%s: by name or literal, registered before or now",
		async (_case, options) => {
			const ctx = await contextWith(options);
			const literal = receiver.url;
			const named = literal.replace("127.0.0.1", "receiver.example");
			const mapped = literal.replace("127.0.0.1", "[::ffff:127.0.0.1]");
			for (const url of [literal, named, mapped]) {
				await expect(assertReceivingUrl(ctx, url)).rejects.toMatchObject({
					reason: "invalid_webhook_url",
				});
				expect(await send(ctx, url)).toMatchObject({
					state: "pending",
					lastError: "address_not_allowed",
				});
			}
			expect(receiver.connections()).toBe(0);
		},
	);

	it("and others are", async () => {
		const ctx = await contextWith({
			blockedNetworks: ["10.0.0.0/8", "::1/128"],
			blockedPorts: ["25"],
		});
		await assertReceivingUrl(ctx, receiver.url);
		expect(await send(ctx, receiver.url)).toMatchObject({ state: "delivered" });
	});

	it("public addresses too, where private ones are refused anyway", async () => {
		const ctx = await contextWith({
			allowPrivateAddresses: false,
			resolve: async () => ["93.184.216.34"],
			blockedNetworks: ["93.184.0.0/16"],
		});
		for (const url of ["https://93.184.216.34/", "https://a.example/"])
			await expect(assertReceivingUrl(ctx, url)).rejects.toMatchObject({
				reason: "invalid_webhook_url",
			});
	});
});

describe("through an egress proxy", () => {
	it("callbacks go by tunnel to the address that was checked, name and certificate as without it", async () => {
		const read = (name: string) =>
			readFile(new URL(`./support/${name}`, import.meta.url), "utf8");
		const cert = await read("receiver.cert.pem");
		const secure = await startReceiver({
			cert,
			key: await read("receiver.key.pem"),
		});
		closers.push(() => secure.close());
		const proxy = await startProxy(closers);
		const ctx = await contextWith({ egressProxy: proxy.url, ca: cert });
		const plain = await send(ctx, `http://a.example:${receiver.port}/hook`);
		expect(plain).toMatchObject({ state: "delivered" });
		expect(receiver.received[0]?.headers.host).toBe(
			`a.example:${receiver.port}`,
		);
		const url = `https://receiver.test:${secure.port}/hook`;
		expect(await send(ctx, url)).toMatchObject({ state: "delivered" });
		const other = `https://other.test:${secure.port}/hook`;
		expect(await send(ctx, other)).toMatchObject({ lastError: "tls_failed" });
		expect(secure.received).toHaveLength(1);
		expect(proxy.tunnels.map(({ target }) => target)).toEqual([
			`127.0.0.1:${receiver.port}`,
			`127.0.0.1:${secure.port}`,
			`127.0.0.1:${secure.port}`,
		]);
	});

	it("keeps its tunnels for the next callbacks, and gives its user and password", async () => {
		const proxy = await startProxy(closers);
		const url = proxy.url.replace("//", "//egress:p%40ss@");
		const ctx = await contextWith({ egressProxy: url });
		const { organizationId } = await addEndpoint(ctx, receiver.url);
		for (let i = 0; i < 20; i++) {
			await takeIn(ctx, [outcomeEvent(organizationId)]);
			await deliverAll(ctx);
		}
		expect(receiver.received).toHaveLength(20);
		expect(proxy.tunnels.length).toBeLessThan(20);
		const token = Buffer.from("egress:p@ss").toString("base64");
		expect(proxy.tunnels[0]?.login).toBe(`Basic ${token}`);
	});

	it("nobody inside is reached: the proxy is not even asked", async () => {
		const proxy = await startProxy(closers);
		const ctx = await contextWith({
			egressProxy: proxy.url,
			allowPrivateAddresses: false,
		});
		for (const host of ["127.0.0.1", "a.example", "[::1]"])
			expect(await send(ctx, `http://${host}:${receiver.port}/`)).toMatchObject(
				{
					lastError: "address_not_allowed",
				},
			);
		expect(proxy.tunnels).toEqual([]);
		expect(receiver.connections()).toBe(0);
	});

	it.each([
		[403, "address_not_allowed"],
		[407, "egress_failed"],
		[502, "connection_failed"],
	])(
		"a refusal of the proxy is told and tried again (%i)",
		async (status, error) => {
			const proxy = await startProxy(closers);
			proxy.status = status;
			const ctx = await contextWith({ egressProxy: proxy.url });
			expect(await send(ctx, receiver.url)).toMatchObject({
				state: "pending",
				lastError: error,
			});
		},
	);

	it.each([
		["is closed", closedPort],
		["takes no connection", deafPort],
	])(
		"a proxy that %s is no receiver's fault, and nothing goes around it",
		async (_case, openPort) => {
			const port = await openPort(closers);
			const egressProxy = `http://127.0.0.1:${port}`;
			const ctx = await contextWith({ egressProxy });
			expect(await send(ctx, receiver.url)).toMatchObject({
				state: "pending",
				attempt: 0,
				lastError: "egress_failed",
			});
			expect(receiver.connections()).toBe(0);
		},
	);

	it("a proxy that is away costs endpoints and schedules nothing, is counted and logged, and once back all goes out", async () => {
		const port = await closedPort();
		const ctx = await contextWith({ egressProxy: `http://127.0.0.1:${port}` });
		const logged = vi.spyOn(ctx.log, "error");
		closers.unshift(async () => logged.mockRestore());
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 3));
		for (let i = 0; i < 12; i++) {
			await letTimePass(ctx);
			await deliverAll(ctx);
		}
		for (const delivery of await deliveriesTo(ctx, id)) {
			expect(delivery).toMatchObject({
				state: "pending",
				attempt: 0,
				lastError: "egress_failed",
			});
			expect(delivery.dueIn).toBeLessThanOrEqual(10);
		}
		expect([
			...(await ctx.sql`select failures, failing_since from endpoints where id = ${id}`),
		]).toEqual([{ failures: 0, failing_since: null }]);
		expect([
			...(await ctx.sql`
				select attempt, count(*)::int
				from attempts
				where endpoint_id = ${id}
				group by attempt
			`),
		]).toEqual([{ attempt: 1, count: 3 }]);
		expect(logged).toHaveBeenCalledWith(
			{ error: "egress_failed", deliveries: 3 },
			"callbacks wait: the egress proxy or a key fails",
		);
		expect((await ctx.telemetry.attempts.get()).values).toContainEqual({
			labels: { result: "egress_failed" },
			value: 36,
		});
		await startProxy(closers, port);
		receiver.respond = (response) => response.writeHead(503).end();
		await letTimePass(ctx);
		await deliverAll(ctx);
		for (const delivery of await deliveriesTo(ctx, id)) {
			expect(delivery).toMatchObject({ attempt: 1, lastError: "http_status" });
			expect(delivery.dueIn).toBeLessThanOrEqual(6);
		}
		receiver.respond = (response) => response.writeHead(200).end();
		await letTimePass(ctx);
		await deliverAll(ctx);
		for (const delivery of await deliveriesTo(ctx, id))
			expect(delivery).toMatchObject({ state: "delivered", attempt: 2 });
	});
});
