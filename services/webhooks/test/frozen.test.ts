import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createEventBus } from "@airtower/platform/events/create-event-bus";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { adminUrl } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { QUEUE_LEASE_MS } from "@airtower/platform/work/lease";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { processDatabase, startProcess } from "./support/process.ts";
import { startReceiver } from "./support/receiver.ts";
import { outcomeEvents } from "./support/stage.ts";

const EVENTS = 400;
/** In which a process that goes on shows what it still sends, ms. */
const WATCHED_MS = 3_000;

test("a process that stood still while it posted sends nothing more once others have its claims, to a deleted endpoint neither", async () => {
	const database = await processDatabase(adminUrl());
	onTestFinished(() => database.drop());
	const receiver = await startReceiver();
	onTestFinished(() => receiver.close());
	const bus = await createEventBus({
		kind: "postgres",
		databaseUrl: database.url,
		clientId: "test",
		log: silentLog,
		metrics: createMetrics("test"),
	} as const);
	onTestFinished(() => bus.close());
	const frozen = await startProcess(database.url);
	onTestFinished(() => void frozen.stop("SIGKILL"));
	const client = testRpcClient({
		service: WebhooksService,
		baseUrl: `http://127.0.0.1:${frozen.rpcPort}`,
		audience: "webhooks",
	});
	const organizationId = randomUUID();
	const { endpoint } = await client.createEndpoint({
		organizationId,
		url: receiver.url,
		subscribedEvents: ["message.delivered"],
	});
	// Each attempt takes a while: when the first arrive, others are claimed, and still connect.
	receiver.respond = (response) => {
		if (receiver.received.length === 1) frozen.signal("SIGSTOP");
		setTimeout(() => response.writeHead(200).end(), 50);
	};
	await bus.publish(outcomeEvents(organizationId, EVENTS));
	await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));

	const other = await startProcess(database.url);
	onTestFinished(() => void other.stop("SIGKILL"));
	const sql = postgres(database.url, { max: 1 });
	onTestFinished(() => sql.end());
	await eventually(
		async () =>
			expect(await sql`select from webhooks.delivery_queue`).toEqual([]),
		{ timeoutMs: QUEUE_LEASE_MS * 5 },
	);
	await testRpcClient({
		service: WebhooksService,
		baseUrl: `http://127.0.0.1:${other.rpcPort}`,
		audience: "webhooks",
	}).deleteEndpoint({ organizationId, endpointId: endpoint?.id ?? "" });

	const before = receiver.received.length;
	frozen.signal("SIGCONT");
	await delay(WATCHED_MS);
	// It may have been stopped between the question and the write that follows it at once.
	expect(receiver.received.length).toBeLessThanOrEqual(before + 1);
	const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
	expect(new Set(ids).size).toBe(EVENTS);
});
