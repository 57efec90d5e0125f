import { randomUUID } from "node:crypto";
import { createEventBus } from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { adminUrl } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import type { ServiceProcess } from "@airtower/platform/testing/service-process";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import postgres from "postgres";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	type ProcessDatabase,
	processDatabase,
	startProcess,
} from "./support/process.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { outcomeEvents } from "./support/stage.ts";

let database: ProcessDatabase;
let bus: EventBus;
let receiver: Receiver;
let running: ServiceProcess | undefined;

beforeEach(async () => {
	database = await processDatabase(adminUrl());
	bus = await createEventBus({
		kind: "postgres",
		databaseUrl: database.url,
		clientId: "test",
		log: silentLog,
		metrics: createMetrics("test"),
	});
	receiver = await startReceiver();
});
afterEach(async () => {
	await running?.stop("SIGKILL");
	await bus.close();
	await receiver.close();
	await database.drop();
});

async function start(env: Record<string, string> = {}) {
	running = await startProcess(database.url, env);
	return running;
}

async function register(service: ServiceProcess, organizationId: string) {
	const client = testRpcClient({
		service: WebhooksService,
		baseUrl: `http://127.0.0.1:${service.rpcPort}`,
		audience: "webhooks",
	});
	return client.createEndpoint({
		organizationId,
		url: receiver.url,
		subscribedEvents: ["message.delivered"],
	});
}

async function query<T extends object>(text: string): Promise<T[]> {
	const sql = postgres(database.url, { max: 1 });
	try {
		return await sql.unsafe<T[]>(text);
	} finally {
		await sql.end();
	}
}

const ids = () =>
	receiver.received.map(({ headers }) => String(headers["webhook-id"]));

describe("the service as a process", () => {
	it("delivers an outcome from the bus at once, one of five, for the machine may stall; and stops cleanly", async () => {
		const service = await start();
		const organizationId = randomUUID();
		const { signingSecret } = await register(service, organizationId);
		let tookMs = Infinity;
		for (let sent = 1; sent <= 5 && tookMs >= 1_000; sent++) {
			const startedAt = performance.now();
			await bus.publish(outcomeEvents(organizationId, 1));
			await eventually(() => expect(receiver.received).toHaveLength(sent), {
				everyMs: 2,
			});
			tookMs = performance.now() - startedAt;
		}
		expect(tookMs).toBeLessThan(1_000);
		const [callback] = receiver.received;
		new Webhook(signingSecret, { format: "raw" }).verify(
			callback?.body ?? "",
			callback?.headers as Record<string, string>,
		);
		expect(await service.stop("SIGTERM")).toBe(0);
	});

	it("waits at a graceful stop for the attempts under way, also for a slow receiver's, and settles them", async () => {
		const service = await start();
		const organizationId = randomUUID();
		await register(service, organizationId);
		receiver.respond = (response) => {
			setTimeout(() => response.writeHead(200).end(), 9_000);
		};
		await bus.publish(outcomeEvents(organizationId, 3));
		await eventually(() => expect(receiver.received).toHaveLength(3));
		expect(await service.stop("SIGTERM")).toBe(0);
		expect(await query("select from webhooks.delivery_queue")).toEqual([]);
	});

	it("killed in the middle of a POST, sends the event again under the same id", async () => {
		const service = await start({ FAULT_POINTS: "webhooks.mid_post" });
		const organizationId = randomUUID();
		await register(service, organizationId);
		const events = outcomeEvents(organizationId, 1);
		await bus.publish(events);
		expect(await service.ended).toBe("SIGKILL");
		await eventually(() => expect(ids()).toEqual([events[0]?.id]));

		await query("update webhooks.leases set lease_until = renewed_at");
		await start();
		await eventually(() => expect(ids()).toHaveLength(2));
		expect(new Set(ids()).size).toBe(1);
		await eventually(async () =>
			expect(
				await query("select attempt, error from webhooks.attempts"),
			).toEqual([{ attempt: 2, error: null }]),
		);
	});

	it("killed between the commit and the acknowledgement, delivers each event once", async () => {
		const service = await start({
			FAULT_POINTS: "consumer.after_commit",
		});
		const organizationId = randomUUID();
		await register(service, organizationId);
		const events = outcomeEvents(organizationId, 50);
		await bus.publish(events);
		expect(await service.ended).toBe("SIGKILL");

		await start();
		await eventually(() => expect(ids().length).toBeGreaterThanOrEqual(50));
		await eventually(async () =>
			expect(await query("select from webhooks.delivery_queue")).toEqual([]),
		);
		expect(ids()).toHaveLength(50);
		expect(new Set(ids())).toEqual(new Set(events.map((event) => event.id)));
	});

	it("parks an outcome it cannot read, and goes on with the others", async () => {
		const service = await start({ LOG_LEVEL: "fatal" });
		const organizationId = randomUUID();
		await register(service, organizationId);
		const [good, bad] = outcomeEvents(organizationId, 2);
		if (good === undefined || bad === undefined) throw new Error("no events");
		await bus.publish([{ ...bad, payload: Buffer.from("\xff\xff") }, good]);
		await eventually(() => expect(ids()).toEqual([good.id]));
		await eventually(async () =>
			expect(await query("select event_id from webhooks.dead_letters")).toEqual(
				[{ event_id: bad.id }],
			),
		);
	});
});
