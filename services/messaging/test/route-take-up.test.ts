import { STORAGE } from "@airtower/platform/rpc/standard/health";
import { eventually } from "@airtower/platform/testing/eventually";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import {
	Health,
	HealthCheckResponse_ServingStatus as Status,
} from "@airtower/proto/grpc/health/v1/health";
import { expect, test } from "vitest";
import { messageTo, reasonOf } from "./support/messaging.ts";
import { GENEROUS, startRouteWorld } from "./support/route-world.ts";

test("a route that is added delivers without a restart, once it takes new messages", async () => {
	const world = await startRouteWorld(["one", "two"], 1);
	const { admin } = world.accepting;
	const { one, two } = world.smscs;
	await world.accept(5);
	await world.delivered();
	expect(two?.log.taken()).toHaveLength(0);
	const settings = world.settingsTo("two");
	await admin.addRoute({ code: "two", kind: "smpp", settings });
	await eventually(() => expect(two?.stats.sessions).toBe(1), GENEROUS);
	await admin.setRouteState({ code: "one", state: "draining" });
	await eventually(async () => {
		const { routes } = await admin.listRoutes({});
		expect(routes[0]).toMatchObject({ code: "two", takesNewMessages: true });
		const taken = two?.log.taken().length;
		await world.accept(1);
		await world.delivered();
		expect(two?.log.taken().length).toBeGreaterThan(Number(taken));
	}, GENEROUS);
	expect(one?.stats).toMatchObject({ binds: 1, sessions: 1 });
	expect(two?.stats).toMatchObject({ binds: 1, sessions: 1 });
});

test("a setting that no connection carries is taken up by the connection that is there", async () => {
	const world = await startRouteWorld(["one"], 1, { answerDelayMs: 100 });
	const { admin } = world.accepting;
	const { one } = world.smscs;
	await eventually(() => expect(one?.stats.sessions).toBe(1), GENEROUS);
	await admin.setRoute({ code: "one", settings: { window: "40" } });
	await eventually(async () => {
		await world.accept(60);
		await world.delivered();
		expect(one?.stats.peakUnanswered).toBeGreaterThan(10);
	});
	expect(one?.stats.peakUnanswered).toBeLessThanOrEqual(40);
	expect(one?.stats.binds).toBe(1);
	await admin.setRoute({ code: "one", settings: { binds: "3" } });
	await eventually(() => expect(one?.stats.sessions).toBe(3), GENEROUS);
	await admin.setRoute({ code: "one", settings: { binds: "" } });
	await eventually(() => expect(one?.stats.sessions).toBe(1), GENEROUS);
	expect(one?.stats.binds).toBe(3);
});

test("a setting that the connection carries is taken up by a new one, and the messages wait for it", async () => {
	const world = await startRouteWorld(["one", "two"], 1);
	const { admin } = world.accepting;
	const { one, two } = world.smscs;
	await eventually(() => expect(one?.stats.sessions).toBe(1), GENEROUS);
	const { address } = world.settingsTo("two");
	await admin.setRoute({ code: "one", settings: { address } });
	await eventually(() => expect(two?.stats.sessions).toBe(1), GENEROUS);
	await eventually(() => expect(one?.stats.sessions).toBe(0), GENEROUS);
	expect(one?.stats.unbinds).toBe(1);
	await admin.setRoute({ code: "one", settings: { password: "wrong" } });
	await eventually(async () => {
		const { routes } = await admin.listRoutes({});
		expect(routes[0]).toMatchObject({ lastError: "bind refused: 0x0E" });
	}, GENEROUS);
	await world.accept(5);
	await admin.setRoute({ code: "one", settings: { password: "airtower" } });
	await world.delivered();
	expect(two?.log.taken()).toHaveLength(5);
});

test("a paused route keeps its connection and its messages; while no route is active nothing is accepted", async () => {
	const world = await startRouteWorld(["one"], 1);
	const { accepting, organization } = world;
	const { admin, messaging } = accepting;
	const { one } = world.smscs;
	const health = testRpcClient({
		service: Health,
		baseUrl: accepting.rpcUrl,
		audience: "messaging",
	});
	const storage = async () => (await health.check({ service: STORAGE })).status;
	const sent = async () => {
		const messages = [messageTo(organization)];
		const { results } = await messaging.sendMessages({ messages });
		return reasonOf(results[0]);
	};
	await eventually(() => expect(one?.stats.sessions).toBe(1), GENEROUS);
	expect(await storage()).toBe(Status.SERVING);
	await admin.setRouteState({ code: "one", state: "paused" });
	await eventually(async () => {
		expect(await sent()).toBe("service_unavailable");
	}, GENEROUS);
	expect(await storage()).toBe(Status.NOT_SERVING);
	expect(one?.stats).toMatchObject({ binds: 1, sessions: 1 });
	await admin.setRouteState({ code: "one", state: "active" });
	await eventually(async () => {
		expect(await sent()).toBe("accepted");
	}, GENEROUS);
	expect(await storage()).toBe(Status.SERVING);
	await world.delivered();
	expect(one?.stats.binds).toBe(1);
});
