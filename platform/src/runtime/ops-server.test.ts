import { expect, onTestFinished, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { startOpsServer } from "./ops-server.ts";

test("a service that cannot tell whether it is ready is alive and not ready", async () => {
	const ops = await startOpsServer({
		host: "127.0.0.1",
		port: 0,
		metrics: createMetrics("test"),
		isReady: () => new Promise(() => {}),
	});
	onTestFinished(() => ops.close());
	const statusOf = async (path: string) =>
		(await fetch(`http://127.0.0.1:${ops.port}${path}`)).status;
	expect(await statusOf("/ready")).toBe(503);
	expect(await statusOf("/live")).toBe(200);
});
