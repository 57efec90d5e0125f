import { Kafka, logLevel } from "kafkajs";

const PROBE_TIMEOUT_MS = 1_000;

/** True once the broker lists itself: after a crash it takes connections some time before that. */
export async function isKafkaReady(
	brokers: readonly string[],
): Promise<boolean> {
	const admin = new Kafka({
		brokers: [...brokers],
		logLevel: logLevel.NOTHING,
		connectionTimeout: PROBE_TIMEOUT_MS,
		requestTimeout: PROBE_TIMEOUT_MS,
		retry: { retries: 0 },
	}).admin();
	try {
		await admin.connect();
		return (await admin.describeCluster()).brokers.length > 0;
	} catch {
		return false;
	} finally {
		await admin.disconnect();
	}
}
