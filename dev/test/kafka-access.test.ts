import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEventBus } from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import type { KafkaAccessSettings } from "@airtower/platform/events/kafka/access";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { ConfigError } from "@airtower/platform/runtime/config";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { freePort } from "@airtower/platform/runtime/ports";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { silentLog } from "@airtower/platform/testing/log";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	it,
	onTestFinished,
} from "vitest";
import { createKafka, type EmbeddedKafka } from "../src/servers/kafka.ts";
import { sharedKafka } from "./support/bus-server.ts";

const { source } = await sharedKafka();
const USER = {
	KAFKA_USERNAME: "accounts",
	KAFKA_PASSWORD: "a secret of 27 characters",
};

/** The broker is this machine's own: it needs a user and a certificate that no shared one has. */
describe.skipIf(source !== "java")("Kafka over TLS, with a user", () => {
	let dir: string;
	let kafka: EmbeddedKafka;
	let broker: string;
	let access: KafkaAccessSettings;

	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "airtower-kafka-access-"));
		const { cert, key } = makeCertificate("127.0.0.1");
		const ca = join(dir, "ca.crt");
		await writeFile(ca, cert);
		const [port, secure, controller] = await Promise.all([
			freePort(),
			freePort(),
			freePort(),
		]);
		kafka = await createKafka({
			...{ dataDir: join(dir, "broker"), port },
			settings: secured({ port, secure, controller, cert, key }),
			scramUsers: [
				`SCRAM-SHA-512=[name=${USER.KAFKA_USERNAME},password=${USER.KAFKA_PASSWORD}]`,
			],
		});
		await kafka.process.start();
		broker = `127.0.0.1:${secure}`;
		access = {
			KAFKA_TLS_CA_FILE: ca,
			KAFKA_SASL_MECHANISM: "scram-sha-512",
			...USER,
		};
	});

	afterAll(async () => {
		await kafka.process.kill();
		await rm(dir, { recursive: true });
	});

	function open(settings: KafkaAccessSettings): Promise<EventBus> {
		return createEventBus({
			...{ kind: "kafka", brokers: [broker], access: settings },
			...{ clientId: "test", log: silentLog, metrics: createMetrics("test") },
		});
	}

	async function publish(settings: KafkaAccessSettings): Promise<void> {
		const bus = await open(settings);
		onTestFinished(() => bus.close());
		await bus.publish([testEvent({ topic: "secured" })]);
	}

	it("takes events from a user that it knows", async () => {
		await expect(publish(access)).resolves.toBeUndefined();
	});

	it("takes none with a wrong password", async () => {
		const wrong = { ...access, KAFKA_PASSWORD: "wrong" };
		await expect(publish(wrong)).rejects.toThrow(/authentication/i);
	});

	it("is not believed with a certificate of another authority", async () => {
		const other = join(dir, "other.crt");
		await writeFile(other, makeCertificate("127.0.0.1").cert);
		const stranger = { ...access, KAFKA_TLS_CA_FILE: other };
		await expect(publish(stranger)).rejects.toThrow(/certificate/);
	});

	it("needs a name with a password, a file that is there, and no password in the clear", async () => {
		const faults: KafkaAccessSettings[] = [
			{ KAFKA_SASL_MECHANISM: "scram-sha-512" },
			{ KAFKA_TLS_CA_FILE: join(dir, "none.crt") },
			{ KAFKA_SASL_MECHANISM: "plain", ...USER },
		];
		for (const fault of faults)
			await expect(open(fault)).rejects.toThrow(ConfigError);
	});
});

interface Secured {
	readonly port: number;
	readonly secure: number;
	readonly controller: number;
	readonly cert: string;
	readonly key: string;
}

/** A second listener beside the plain one by which the broker is started and stopped. */
function secured({ port, secure, controller, cert, key }: Secured) {
	const pem = (text: string) => text.trim().replaceAll("\n", "\\n");
	return {
		listeners: `PLAINTEXT://127.0.0.1:${port},SECURED://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
		"advertised.listeners": `PLAINTEXT://127.0.0.1:${port},SECURED://127.0.0.1:${secure}`,
		"controller.quorum.voters": `1@127.0.0.1:${controller}`,
		"listener.security.protocol.map":
			"CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURED:SASL_SSL",
		"sasl.enabled.mechanisms": "SCRAM-SHA-512",
		"listener.name.secured.scram-sha-512.sasl.jaas.config":
			"org.apache.kafka.common.security.scram.ScramLoginModule required;",
		"ssl.keystore.type": "PEM",
		"ssl.keystore.certificate.chain": pem(cert),
		"ssl.keystore.key": pem(key),
	};
}
