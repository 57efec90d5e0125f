import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onOwnPorts } from "../ports/on-own-ports.ts";
import { StartError } from "../processes/start-error.ts";
import { createKafka } from "../servers/kafka.ts";
import { isKafkaReady } from "../servers/kafka-probe.ts";
import {
	type Assembly,
	reportReady,
	supervisionFor,
} from "../start/assembly.ts";

type Brokers = readonly string[];

/** Longest wait for brokers of the user's own, ms. */
const BROKERS_TIMEOUT_MS = 5_000;
const POLL_MS = 250;

export async function startEventBus(
	assembly: Assembly,
): Promise<Brokers | undefined> {
	const { kafka } = assembly.options;
	if (kafka === undefined || kafka === false) return undefined;
	const brokers =
		kafka === true
			? await startBroker(assembly)
			: await untilReady(kafka, assembly.callOff.signal);
	reportReady(assembly, "Kafka");
	return brokers;
}

async function startBroker(assembly: Assembly): Promise<Brokers> {
	const { brokers } = await onOwnPorts(async () => {
		const kafka = await createKafka({
			dataDir: join(assembly.dataDir, "kafka"),
			optimized: assembly.options.optimizedKafka ?? false,
			supervision: supervisionFor(assembly, "kafka"),
		});
		assembly.processes.set("kafka", kafka.process);
		return { ...kafka, start: () => kafka.process.start() };
	}, assembly.callOff.signal);
	return brokers;
}

async function untilReady(
	brokers: Brokers,
	signal: AbortSignal,
): Promise<Brokers> {
	const deadline = Date.now() + BROKERS_TIMEOUT_MS;
	while (!(await isKafkaReady(brokers))) {
		signal.throwIfAborted();
		if (Date.now() > deadline)
			throw new StartError(
				`No Kafka responds at ${brokers.join(", ")}; check KAFKA_BROKERS.`,
			);
		await delay(POLL_MS);
	}
	return brokers;
}
