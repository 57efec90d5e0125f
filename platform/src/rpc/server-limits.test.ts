import { status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import {
	mintTestToken,
	SERVICE,
	startLoggedServer as start,
	valid,
} from "./testing/logged-server.ts";
import { ORGANIZATION } from "./testing/server.ts";

test("a call ends at its caller's deadline and tells the handler", async () => {
	let told = 0;
	const { list, lines } = await start({
		webhooks: {
			listEndpoints: (_request, { signal }) => {
				signal.addEventListener("abort", () => told++);
				return new Promise(() => undefined);
			},
		},
	});
	// On a busy machine a deadline may pass before its call is begun: the handler then learns nothing of it.
	await eventually(async () => {
		await expect(list(valid, { deadlineMs: 100 })).rejects.toMatchObject({
			code: status.DEADLINE_EXCEEDED,
		});
		expect(told).toBeGreaterThan(0);
	});
	await eventually(() => expect(lines).not.toHaveLength(0));
});

test("a call without a deadline ends at the server's own", async () => {
	const { list } = await start({
		limits: { maxCallMs: 50 },
		webhooks: { listEndpoints: () => new Promise(() => undefined) },
	});
	await expect(list()).rejects.toMatchObject({
		code: status.DEADLINE_EXCEEDED,
	});
});

test("calls over the concurrency limit are refused at once, and health still responds", async () => {
	const release = Promise.withResolvers<void>();
	let running = 0;
	const { list, grpc } = await start({
		limits: { maxConcurrentCalls: 2 },
		webhooks: {
			listEndpoints: async () => {
				running++;
				await release.promise;
				return {};
			},
		},
	});
	const first = [list(), list()];
	await eventually(() => expect(running).toBe(2));
	await expect(list()).rejects.toMatchObject({
		code: status.RESOURCE_EXHAUSTED,
	});
	const health = await grpc.unary("grpc.health.v1.Health/Check", {});
	expect(health.response).toEqual({ status: "SERVING" });
	release.resolve();
	await Promise.all(first);
	await list();
});

test("calls beyond their share of the slots are refused, and take none from other methods", async () => {
	const release = Promise.withResolvers<void>();
	let running = 0;
	const { list, grpc } = await start({
		limits: { maxConcurrentCalls: 2 },
		share: { methods: ["listEndpoints"], slots: 1 },
		webhooks: {
			listEndpoints: async () => {
				running++;
				await release.promise;
				return {};
			},
		},
	});
	const first = list();
	await eventually(() => expect(running).toBe(1));
	for (let refused = 0; refused < 5; refused++)
		await expect(list()).rejects.toMatchObject({
			code: status.RESOURCE_EXHAUSTED,
		});
	const endpoint = { organizationId: ORGANIZATION, endpointId: ORGANIZATION };
	const token = await mintTestToken();
	await eventually(() =>
		grpc.unary(`${SERVICE}/DeleteEndpoint`, endpoint, { token }),
	);
	release.resolve();
	await first;
	await list();
});

test("a handler that runs on after its deadline keeps its slot", async () => {
	const release = Promise.withResolvers<void>();
	const blocked = [true];
	const { list } = await start({
		limits: { maxConcurrentCalls: 1, maxCallMs: 50 },
		webhooks: {
			listEndpoints: async () => {
				if (blocked.pop()) await release.promise;
				return {};
			},
		},
	});
	await expect(list()).rejects.toMatchObject({
		code: status.DEADLINE_EXCEEDED,
	});
	await expect(list()).rejects.toMatchObject({
		code: status.RESOURCE_EXHAUSTED,
	});
	release.resolve();
	await eventually(() => list());
});

test("a closing server lets running calls finish and takes no new ones", async () => {
	const release = Promise.withResolvers<void>();
	const entered = Promise.withResolvers<void>();
	const { server, list } = await start({
		webhooks: {
			listEndpoints: async () => {
				entered.resolve();
				await release.promise;
				return { endpoints: [{ id: "done" }] };
			},
		},
	});
	const running = list();
	await entered.promise;
	const closed = server.close();
	await expect(list(valid, { deadlineMs: 300 })).rejects.toMatchObject({
		code: expect.toBeOneOf([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]),
	});
	release.resolve();
	expect((await running).response).toMatchObject({
		endpoints: [{ id: "done" }],
	});
	await closed;
});

test("a call that outlasts the grace of a closing server is cut", async () => {
	const entered = Promise.withResolvers<void>();
	const { server, list } = await start({
		limits: { closeGraceMs: 50 },
		webhooks: {
			listEndpoints: () => {
				entered.resolve();
				return new Promise(() => undefined);
			},
		},
	});
	const running = expect(list()).rejects.toMatchObject({
		code: expect.toBeOneOf([status.UNAVAILABLE, status.CANCELLED]),
	});
	await entered.promise;
	await server.close();
	await running;
});
