import { BacklogService } from "@airtower/proto/ops/v1/backlog";
import { expect, test } from "vitest";
import { startLoggedServer } from "../rpc/testing/logged-server.ts";
import { AUDIENCE } from "../rpc/testing/server.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { testRpcClient } from "../testing/rpc-client.ts";
import { backlogRoute } from "./backlog-service.ts";

test("who asks for the backlog each second is told what the gauge was set to, and leaves no line in the log", async () => {
	const gauge = createMetrics("test").gauge("age_seconds", "An age.");
	const { server, list, lines } = await startLoggedServer({
		routes: [backlogRoute(gauge)],
	});
	const { getBacklog } = testRpcClient({
		service: BacklogService,
		audience: AUDIENCE,
		baseUrl: `http://127.0.0.1:${server.port}`,
	});
	expect(await getBacklog({})).toMatchObject({ oldestSeconds: 0 });
	gauge.set(121.5);
	expect(await getBacklog({})).toMatchObject({ oldestSeconds: 121.5 });
	await list();
	expect(lines.map(({ method }) => method)).toEqual([
		"airtower.webhooks.v1.WebhooksService/ListEndpoints",
	]);
});
