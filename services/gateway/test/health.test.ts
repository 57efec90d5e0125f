import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServiceName, serviceNames } from "../src/clients.ts";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const health = async () => (await call(world.baseUrl, "/health")).body;
const allOk = Object.fromEntries(serviceNames.map((name) => [name, "ok"]));

/** Resolves once /health says so, with how long that took, ms. */
async function shows(
	status: string,
	accepting: boolean,
	services: Partial<Record<ServiceName, string>> = {},
	ages = { oldestUnsentSeconds: 0, oldestUndeliveredCallbackSeconds: 0 },
): Promise<number> {
	const startedAt = performance.now();
	await eventually(async () =>
		expect(await health()).toEqual({
			status,
			accepting,
			version: "0.1.0",
			uptimeSeconds: expect.any(Number),
			services: { ...allOk, ...services },
			...ages,
		}),
	);
	return performance.now() - startedAt;
}

test("health names every service; a lost one degrades it, and it comes back by itself", async () => {
	await shows("ok", true);
	for (const name of ["webhooks", "campaigns", "whatsapp"] as const) {
		await world.stopService(name);
		await shows("degraded", true, { [name]: "unreachable" });
		await world.restartService(name);
		await shows("ok", true);
	}
});

test.each(["accounts", "messaging"] as const)(
	"without %s no message is accepted, and health says so",
	async (name) => {
		await shows("ok", true);
		await world.stopService(name);
		await shows("unavailable", false, { [name]: "unreachable" });
		await world.restartService(name);
		await shows("ok", true);
	},
);

test.each(serviceNames)(
	"a service that responds and cannot store shows: %s",
	async (name) => {
		await shows("ok", true);
		world.fullDisks.add(name);
		const isNeeded = name === "accounts" || name === "messaging";
		await shows(isNeeded ? "unavailable" : "degraded", !isNeeded, {
			[name]: "unavailable",
		});
		world.fullDisks.delete(name);
		await shows("ok", true);
	},
);

test("a fault shows within 3 s; one of five, for the machine may stall", async () => {
	const found: number[] = [];
	for (let tries = 0; tries < 5 && Math.min(...found) > 3_000; tries++) {
		await shows("ok", true);
		world.fullDisks.add("messaging");
		found.push(await shows("unavailable", false, { messaging: "unavailable" }));
		world.fullDisks.clear();
	}
	expect(Math.min(...found)).toBeLessThanOrEqual(3_000);
});

test("one finding that comes late says nothing of a service; one of five, for the machine may stall", async () => {
	const statuses = new Set<unknown>();
	for (let tries = 0; tries < 5 && [...statuses].join() !== "ok"; tries++) {
		await shows("ok", true);
		statuses.clear();
		world.lateFindings.set("accounts", 1_400);
		const until = performance.now() + 3_000;
		while (world.lateFindings.size > 0 || performance.now() < until)
			statuses.add((await health()).status);
	}
	expect([...statuses]).toEqual(["ok"]);
});

test("health tells how late messages and callbacks are, and is degraded when one is later than two minutes", async () => {
	const ages = (unsent: number, callback: number) => ({
		oldestUnsentSeconds: unsent,
		oldestUndeliveredCallbackSeconds: callback,
	});
	world.backlogs.set("messaging", 119.9).set("whatsapp", 3);
	await shows("ok", true, {}, ages(119, 0));
	world.backlogs.set("webhooks", 120.2);
	await shows("ok", true, {}, ages(119, 120));
	world.backlogs.set("webhooks", 121);
	await shows("degraded", true, {}, ages(119, 121));
	world.backlogs.clear();
	world.backlogs.set("whatsapp", 7_200);
	await shows("degraded", true, {}, ages(7_200, 0));
	world.backlogs.clear();
	await shows("ok", true);
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
