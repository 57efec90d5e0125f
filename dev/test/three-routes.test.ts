import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callApi, type PublicApi } from "@airtower/dev/demo/public-api";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { ensureDemoData } from "@airtower/dev/start/demo-data";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";

/** So many messages take one route of two by chance once in 10^10 runs. */
const MOST_MESSAGES = 60;

let dataDir = "";
let system: System | undefined;
let first: Awaited<ReturnType<typeof startAnew>>;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-routes-"));
	await chmod(dataDir, 0o755);
	first = await startAnew(3);
});

afterAll(async () => {
	await system?.stop();
	await rm(dataDir, { recursive: true, force: true });
});

async function startAnew(routes: number) {
	await system?.stop();
	system = await startSystem({ dataDir, routes });
	const clients = createAdminClients(adminAccessOf(system));
	const { apiKey } = await ensureDemoData(system);
	return { clients, api: { baseUrl: system.baseUrl, apiKey } };
}

/** Sends a long message and returns the route over which it was delivered. */
async function deliver(api: PublicApi, to: string): Promise<string> {
	const request = { to, message: "A long message. ".repeat(20) };
	const sent = await callApi<{ provider: { messageId: string } }>(
		api,
		"POST",
		"/sms/send",
		request,
	);
	const path = `/sms/messages/${sent.body.provider.messageId}`;
	return eventually(async () => {
		const { body } = await callApi<{
			message: { status: string; route: string };
		}>(api, "GET", path);
		expect(body.message.status).toBe("delivered");
		return body.message.route;
	});
}

async function statesOf({ messagingAdmin }: AdminClients) {
	const { routes } = await messagingAdmin.listRoutes({});
	return Object.fromEntries(routes.map(({ code, state }) => [code, state]));
}

test("three simulated operators deliver what the rules give them", async () => {
	expect(await deliver(first.api, "+447400123456")).toBe("web");
	const taken = new Set<string>();
	for (let sent = 0; sent < MOST_MESSAGES && taken.size < 2; sent++)
		taken.add(await deliver(first.api, "+33612345678"));
	expect(taken).toEqual(new Set(["simulator", "budget"]));
});

test("a start that simulates one operator pauses the routes of the others", async () => {
	const { routeRules } = first.clients;
	const { rules } = await routeRules.listRouteRules({});
	const share = rules.find(({ route }) => route === "budget");
	await routeRules.removeRouteRule({ id: share?.id ?? 0n });

	const { api, clients } = await startAnew(1);
	expect(await statesOf(clients)).toEqual({
		simulator: "active",
		budget: "paused",
		web: "paused",
	});
	expect(await deliver(api, "+447400123456")).toBe("simulator");
});

test("a start that simulates them again has them active, and the rules as they were left", async () => {
	const { api, clients } = await startAnew(3);
	expect(await statesOf(clients)).toEqual({
		simulator: "active",
		budget: "active",
		web: "active",
	});
	const { rules } = await clients.routeRules.listRouteRules({});
	expect(rules).toHaveLength(3);
	expect(await deliver(api, "+447400123456")).toBe("web");
});
