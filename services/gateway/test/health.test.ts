import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceNames } from "../src/clients.ts";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const health = async () => (await call(world.baseUrl, "/health")).body;

test("health names every service; a lost one degrades it, and it comes back by itself", async () => {
	const allOk = Object.fromEntries(serviceNames.map((name) => [name, "ok"]));
	await eventually(async () =>
		expect(await health()).toEqual({
			status: "ok",
			version: "0.1.0",
			uptimeSeconds: expect.any(Number),
			services: allOk,
		}),
	);
	await world.stopService("webhooks");
	await eventually(async () =>
		expect(await health()).toMatchObject({
			status: "degraded",
			services: { ...allOk, webhooks: "unreachable" },
		}),
	);
	await world.restartService("webhooks");
	await eventually(async () =>
		expect(await health()).toMatchObject({ status: "ok", services: allOk }),
	);
});

test("the gateway tells orchestrators and Prometheus how it is", async () => {
	const ops = `http://127.0.0.1:${world.gateway.opsPort}`;
	expect((await fetch(`${ops}/ready`)).status).toBe(200);
	await call(world.baseUrl, "/no/such/path");
	const metrics = await (await fetch(`${ops}/metrics`)).text();
	expect(metrics).toContain(
		'gateway_http_requests_total{route="/api/v1/health",method="GET",status="200"',
	);
	expect(metrics).toContain('route="unknown"');
	expect(metrics).not.toContain("/no/such/path");
});
