import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import { STORAGE } from "../rpc/standard/health.ts";
import { oneMethodService } from "../rpc/testing/one-method-service.ts";
import { stockGrpc } from "../rpc/testing/stock-grpc.ts";
import { readConfig, serviceConfig } from "../runtime/config.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { identitySettings } from "../testing/identities.ts";
import { silentLog } from "../testing/log.ts";
import { startWire } from "../testing/wire.ts";
import { createService } from "./create-service.ts";
import { serveRpc } from "./serve-rpc.ts";

async function start(
	database: TestDatabase,
	stopped: string[] = [],
	databaseUrl = database.url,
	routes: readonly RpcRoute[] = [],
) {
	const config = readConfig(z.object(serviceConfig("test")), {
		DATABASE_URL: databaseUrl,
		DATABASE_SCHEMA: database.schema,
		RPC_PORT: "0",
		OPS_PORT: "0",
		...identitySettings("test"),
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: database.url,
	});
	return createService({
		name: "test",
		config,
		migrations: [],
		overrides: { log: silentLog },
		build: async (base) => {
			const rpc = await serveRpc(base, routes, { tables: [] });
			const close = async () => {
				stopped.push("server");
				await rpc.close();
			};
			const stop = ["jobs", "in flight"].map((part) => async () => {
				await base.sql`select 1`;
				stopped.push(part);
			});
			return { server: { port: rpc.port, close }, stop };
		},
	});
}

async function healthOf(service: { port: number; opsPort: number }) {
	const grpc = stockGrpc(service.port);
	const ask = async (service: string) => {
		const path = "grpc.health.v1.Health/Check";
		const { response } = await grpc.unary(path, { service });
		return response.status;
	};
	const [server, storage] = await Promise.all([ask(""), ask(STORAGE)]);
	grpc.close();
	const ready = await fetch(`http://127.0.0.1:${service.opsPort}/ready`);
	return { server, storage, ready: ready.status };
}

test("a silent database shows in the health of the storage alone: a service stays serving and ready", async () => {
	const database = await testDatabase([]);
	const url = new URL(database.url);
	const wire = await startWire(Number(url.port));
	url.port = String(wire.port);
	const service = await start(database, [], url.href);
	onTestFinished(async () => {
		wire.release();
		await service.close();
		await database.drop();
	});
	const healthy = { server: "SERVING", storage: "SERVING", ready: 200 };
	expect(await healthOf(service)).toEqual(healthy);
	wire.hold();
	await eventually(async () =>
		expect(await healthOf(service)).toEqual({
			...healthy,
			storage: "NOT_SERVING",
		}),
	);
	wire.release();
	await eventually(async () =>
		expect(await healthOf(service)).toEqual(healthy),
	);
});

test("server first, then the service's own parts in their order, while the database is open", async () => {
	const database = await testDatabase([]);
	const stopped: string[] = [];
	const service = await start(database, stopped);
	await service.close();
	expect(stopped).toEqual(["server", "jobs", "in flight"]);
	await database.drop();
});

test("a service does not start with a method that serves admins and does not declare whether it is audited", async () => {
	const database = await testDatabase([]);
	onTestFinished(() => database.drop());
	const callers = ["gateway", "admin"];
	const undeclared = oneMethodService("UnauditedService", { callers });
	const routes = [rpcRoute(undeclared, {})];
	await expect(start(database, [], database.url, routes)).rejects.toThrow(
		"these declare neither: test.UnauditedService/Do.",
	);
});
