import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canRunKafka } from "@airtower/dev/servers/kafka-jars";
import { isKafkaReady } from "@airtower/dev/servers/kafka-probe";
import {
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { provisionOrganization } from "@airtower/dev/start/provision";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System, SystemEvent } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Without Java and Maven there is no broker of our own to kill; under CI=true there must be. */
const kafka = process.env.CI === "true" || (await canRunKafka());
/** A busy machine takes its time to recover. */
const PATIENCE = { timeoutMs: 120_000, everyMs: 200 };

let dataDir: string;
let system: System;
let apiKey: string;
const events: SystemEvent[] = [];

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-crash-"));
	await chmod(dataDir, 0o755);
	const onEvent = (event: SystemEvent) => events.push(event);
	system = await startSystem({ dataDir, kafka, onEvent });
	const clients = createAdminClients(adminAccessOf(system));
	const request = { name: "Crash", units: 100, sender: "Crash" };
	({ apiKey } = await provisionOrganization(clients, request));
});

afterAll(async () => {
	await system.stop();
	await rm(dataDir, { recursive: true, force: true });
});

async function send(): Promise<string> {
	const response = await fetch(`${system.baseUrl}/sms/send`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${apiKey}`,
			"content-type": "application/json",
		},
		body: JSON.stringify({ to: "+33612345678", message: "Hello" }),
	});
	expect(response.status).toBe(202);
	const body = (await response.json()) as { provider: { messageId: string } };
	return body.provider.messageId;
}

/** Kills a server as the kernel would that is out of memory; waits until it is back, and told of. */
async function crash(name: "postgres" | "kafka"): Promise<void> {
	const pid = Number(system.pids()[name]);
	process.kill(pid, "SIGKILL");
	await eventually(
		() => expect(events).toContainEqual({ kind: "restarted", process: name }),
		PATIENCE,
	);
	expect(events).toContainEqual({
		kind: "crashed",
		process: name,
		how: "SIGKILL",
		restartInMs: 500,
	});
	expect(system.pids()[name]).not.toBe(pid);
}

test("a PostgreSQL that was killed is told of and started again, and messages are taken as before", async () => {
	await send();
	await crash("postgres");
	await eventually(send, PATIENCE);
});

test.runIf(kafka)(
	"a broker that was killed is told of and started again at its address",
	async () => {
		await crash("kafka");
		expect(await isKafkaReady([...(system.kafkaBrokers ?? [])])).toBe(true);
	},
);
