import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "../database/database.ts";
import { stockGrpc } from "../rpc/testing/stock-grpc.ts";
import { adminUrl } from "../testing/database.ts";
import { testKeyRing } from "../testing/keys.ts";
import { silentLog } from "../testing/log.ts";
import { createMetrics } from "./metrics.ts";
import { startServers } from "./service-servers.ts";

const LOOPBACK = "127.0.0.1";

/** What the two servers of a service over this database say of its health. */
async function healthOver(databaseUrl: string) {
	const sql = connectDatabase({
		url: databaseUrl,
		schema: "public",
		poolSize: 1,
		applicationName: "test",
	});
	const config = {
		RPC_HOST: LOOPBACK,
		RPC_PORT: 0,
		OPS_HOST: LOOPBACK,
		OPS_PORT: 0,
		CALLER_TOKEN_KEYS: testKeyRing,
	};
	const { rpc, ops } = await startServers("test", config, {
		sql,
		log: silentLog,
		metrics: createMetrics("test"),
		routes: () => {},
		services: [],
	});
	const grpc = stockGrpc(rpc.port);
	onTestFinished(async () => {
		grpc.close();
		await Promise.all([rpc.close(), ops.close(), sql.end({ timeout: 1 })]);
	});
	const { response } = await grpc.unary("grpc.health.v1.Health/Check", {
		service: "",
	});
	const ready = await fetch(`http://${LOOPBACK}:${ops.port}/ready`);
	return { grpc: response, ready: ready.status, text: await ready.text() };
}

test("a service whose database answers is serving and ready", async () => {
	expect(await healthOver(adminUrl())).toEqual({
		grpc: { status: "SERVING" },
		ready: 200,
		text: "ready\n",
	});
});

test("a service whose database is gone is neither", async () => {
	expect(await healthOver(`postgres://${LOOPBACK}:1/none`)).toEqual({
		grpc: { status: "NOT_SERVING" },
		ready: 503,
		text: "not ready\n",
	});
});
