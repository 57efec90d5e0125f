import { HealthCheckResponse_ServingStatus as Status } from "@airtower/proto/grpc/health/v1/health";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { startTestServer, type TestServerOptions } from "../testing/server.ts";
import { stockGrpc } from "../testing/stock-grpc.ts";
import type { Message } from "../testing/stock-methods.ts";
import { createHealth, STORAGE } from "./health.ts";

const CHECK = "grpc.health.v1.Health/Check";
const LIST = "grpc.health.v1.Health/List";
const WATCH = "grpc.health.v1.Health/Watch";
const WEBHOOKS = "airtower.webhooks.v1.WebhooksService";

async function start(options: TestServerOptions = {}) {
	const server = await startTestServer(options);
	const grpc = stockGrpc(server.port);
	onTestFinished(async () => {
		grpc.close();
		await server.close();
	});
	return { server, grpc };
}

test("a healthy server and its services are SERVING, without a caller token", async () => {
	const { grpc } = await start();
	for (const service of ["", WEBHOOKS, "grpc.health.v1.Health"]) {
		const { response } = await grpc.unary(CHECK, { service });
		expect(response).toEqual({ status: "SERVING" });
	}
});

test("List names the server and every service", async () => {
	const { grpc } = await start();
	const { response } = await grpc.unary(LIST, {});
	expect(response.statuses).toMatchObject({
		"": { status: "SERVING" },
		[WEBHOOKS]: { status: "SERVING" },
	});
});

test("an unhealthy server is NOT_SERVING", async () => {
	const { grpc } = await start({ isHealthy: () => Promise.resolve(false) });
	const { response } = await grpc.unary(CHECK, { service: "" });
	expect(response).toEqual({ status: "NOT_SERVING" });
});

test("a server that cannot store is SERVING, and its storage is not", async () => {
	const { grpc } = await start({ canStore: () => Promise.resolve(false) });
	const statusOf = async (service: string) =>
		(await grpc.unary(CHECK, { service })).response.status;
	expect(await statusOf("")).toBe("SERVING");
	expect(await statusOf(WEBHOOKS)).toBe("SERVING");
	expect(await statusOf("airtower.storage")).toBe("NOT_SERVING");
});

test("a health question that fails counts as NOT_SERVING", async () => {
	const { grpc } = await start({
		isHealthy: () => Promise.reject(new Error("database is down")),
	});
	const { response } = await grpc.unary(CHECK, { service: WEBHOOKS });
	expect(response).toEqual({ status: "NOT_SERVING" });
});

test("an unknown service is NOT_FOUND", async () => {
	const { grpc } = await start();
	await expect(
		grpc.unary(CHECK, { service: "no.such.Service" }),
	).rejects.toMatchObject({ code: status.NOT_FOUND });
});

test("Watch tells each change, and NOT_SERVING when the server closes", async () => {
	let healthy = true;
	const { server, grpc } = await start({
		isHealthy: () => Promise.resolve(healthy),
	});
	const seen: unknown[] = [];
	const watch = grpc.serverStream(WATCH, { service: WEBHOOKS });
	const ended = new Promise((resolve) => watch.on("end", resolve));
	watch.on("data", ({ status }: Message) => seen.push(status));

	await eventually(() => expect(seen).toEqual(["SERVING"]));
	healthy = false;
	await eventually(() => expect(seen).toEqual(["SERVING", "NOT_SERVING"]));
	healthy = true;
	await eventually(() => expect(seen).toHaveLength(3));
	await server.close();
	await ended;
	expect(seen).toEqual(["SERVING", "NOT_SERVING", "SERVING", "NOT_SERVING"]);
});

test("a watched service that is unknown is SERVICE_UNKNOWN, and the watch stays open", async () => {
	const { grpc } = await start();
	const watch = grpc.serverStream(WATCH, { service: "no.such.Service" });
	const first = await new Promise((resolve) => watch.once("data", resolve));
	expect(first).toEqual({ status: "SERVICE_UNKNOWN" });
	expect(watch.readableEnded).toBe(false);
	watch.on("error", () => undefined).cancel();
});

test("a server that closes is not serving, and tells of its storage as before", async () => {
	const health = createHealth({
		services: [],
		closing: AbortSignal.abort(),
		isHealthy: async () => true,
		canStore: async () => true,
	});
	const context = undefined as never;
	const statusOf = async (service: string) =>
		(await health.check({ service } as never, context)).status;
	expect(await statusOf("")).toBe(Status.NOT_SERVING);
	expect(await statusOf(STORAGE)).toBe(Status.SERVING);
});
