import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@airtower/platform/runtime/ports";
import { KAFKA_VERSION } from "../../src/servers/kafka-jars.ts";
import { isKafkaReady } from "../../src/servers/kafka-probe.ts";
import { brokerSettings } from "../../src/servers/kafka-settings.ts";

const CONTROLLER_PORT = 9_093;
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** True when testcontainers finds a container engine. */
export async function hasDocker(): Promise<boolean> {
	const { getContainerRuntimeClient } = await import("testcontainers");
	try {
		await getContainerRuntimeClient();
		return true;
	} catch {
		return false;
	}
}

/** Starts Apache's own image, or the one that KAFKA_IMAGE names, on a fixed port of this machine. */
export async function startDockerKafka() {
	const { GenericContainer, getContainerRuntimeClient } = await import(
		"testcontainers"
	);
	const { container: engine, info } = await getContainerRuntimeClient();
	const host = info.containerRuntime.host;
	const port = await freePort();
	const image = process.env.KAFKA_IMAGE ?? `apache/kafka:${KAFKA_VERSION}`;
	const started = await new GenericContainer(image)
		.withExposedPorts({ container: port, host: port })
		.withEnvironment(environmentOf(host, port))
		.start();
	const brokers = [`${host}:${port}`];
	await untilReady(brokers);
	const raw = engine.getById(started.getId());
	return {
		brokers,
		kill: async () => {
			await raw.kill({ signal: "SIGKILL" });
		},
		restart: async () => {
			const { State } = await raw.inspect();
			if (State.Running) await raw.kill({ signal: "SIGKILL" });
			await raw.start();
			await untilReady(brokers);
		},
		stop: async () => {
			await started.stop({ remove: true, timeout: 0 });
		},
	};
}

/** The image reads a setting `a.b` from the variable `KAFKA_A_B`. */
function environmentOf(host: string, port: number): Record<string, string> {
	const settings = brokerSettings({
		bind: "0.0.0.0",
		advertise: host,
		port,
		controllerPort: CONTROLLER_PORT,
	});
	return Object.fromEntries(
		Object.entries(settings).map(([name, value]) => [
			`KAFKA_${name.toUpperCase().replaceAll(".", "_")}`,
			value,
		]),
	);
}

async function untilReady(brokers: string[]): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await isKafkaReady(brokers))) {
		if (Date.now() > deadline)
			throw new Error(`Kafka in a container did not respond on ${brokers}.`);
		await delay(POLL_MS);
	}
}
