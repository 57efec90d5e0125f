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
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	it,
	onTestFinished,
	vi,
} from "vitest";
import { createKafka, type EmbeddedKafka } from "../src/servers/kafka.ts";
import { canRunKafka } from "../src/servers/kafka-jars.ts";
import { collect } from "./support/received.ts";
import { secured, startTokenServer, tokenOf } from "./support/secured-kafka.ts";

const canRun = await canRunKafka();
if (!canRun && process.env.CI === "true")
	throw new Error(
		"NO JAVA: the broker of these tests needs Java 17 and Maven.",
	);
const USER = {
	KAFKA_USERNAME: "accounts",
	KAFKA_PASSWORD: "a secret of 27 characters",
};

/** The broker is this machine's own: it needs a user and a certificate that no shared one has. */
describe.skipIf(!canRun)(
	`${canRun ? "" : "NO JAVA 17 AND MAVEN, NOT RUN: "}Kafka over TLS, with a user`,
	() => {
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
				dataDir: join(dir, "broker"),
				port,
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

		function open(
			settings: KafkaAccessSettings,
			onFatal?: (error: Error) => void,
		): Promise<EventBus> {
			return createEventBus({
				...(onFatal && { onFatal }),
				kind: "kafka",
				brokers: [broker],
				access: settings,
				clientId: "test",
				log: silentLog,
				metrics: createMetrics("test"),
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

		it("takes events from who shows a token, of a file or for client credentials", async () => {
			const file = join(dir, "token");
			await writeFile(file, tokenOf("accounts", 3_600));
			const { KAFKA_TLS_CA_FILE } = access;
			const oauth = {
				KAFKA_TLS_CA_FILE,
				KAFKA_SASL_MECHANISM: "oauthbearer",
			} as const;
			const byFile = { ...oauth, KAFKA_TOKEN_FILE: file };
			await expect(publish(byFile)).resolves.toBeUndefined();
			const { url, asked } = await startTokenServer(tokenOf("accounts", 3_600));
			const byUrl = {
				...oauth,
				...USER,
				KAFKA_TOKEN_URL: url,
				KAFKA_TOKEN_SCOPE: "kafka",
			};
			await expect(publish(byUrl)).resolves.toBeUndefined();
			const id = "accounts:a%20secret%20of%2027%20characters";
			expect(asked[0]).toEqual([
				`Basic ${btoa(id)}`,
				"grant_type=client_credentials&scope=kafka",
			]);
		});

		it("takes none with a token that is over, until its file has another", async () => {
			const file = join(dir, "old-token");
			await writeFile(file, tokenOf("accounts", -3_600));
			const bus = await open({
				...access,
				KAFKA_SASL_MECHANISM: "oauthbearer",
				KAFKA_TOKEN_FILE: file,
			});
			onTestFinished(() => bus.close());
			const send = () => bus.publish([testEvent({ topic: "secured" })]);
			await expect(send()).rejects.toThrow();
			await writeFile(file, tokenOf("accounts", 3_600));
			await expect(send()).resolves.toBeUndefined();
		});

		it("goes on where the server of tokens is away when a session is renewed and when the broker starts again", async () => {
			const tokens = await startTokenServer(tokenOf("accounts", 3_600));
			const onFatal = vi.fn();
			const settings = {
				...access,
				KAFKA_SASL_MECHANISM: "oauthbearer",
				KAFKA_TOKEN_URL: tokens.url,
			} as const;
			const bus = await open(settings, onFatal);
			onTestFinished(() => bus.close());
			const received = collect();
			const { onBatch } = received;
			await bus.subscribe({ group: "renewed", topics: ["renewed"], onBatch });
			const publishOne = async () => {
				const event = testEvent({ topic: "renewed" });
				await eventually(() => bus.publish([event]));
				await received.all([event]);
			};
			await publishOne();
			tokens.state.status = 503;
			const untilRefused = () => {
				tokens.state.refused = 0;
				return eventually(() =>
					expect(tokens.state.refused).toBeGreaterThan(4),
				);
			};
			await untilRefused();
			await kafka.process.kill();
			await kafka.process.start();
			await untilRefused();
			expect(onFatal).not.toHaveBeenCalled();
			tokens.state.status = 200;
			await publishOne();
		});

		it("needs a name with a password, a file that is there, and no password in the clear", async () => {
			const faults: KafkaAccessSettings[] = [
				{ KAFKA_SASL_MECHANISM: "scram-sha-512" },
				{ KAFKA_TLS_CA_FILE: join(dir, "none.crt") },
				{ KAFKA_SASL_MECHANISM: "plain", ...USER },
				{ ...access, KAFKA_SASL_MECHANISM: "oauthbearer" },
				{
					KAFKA_SASL_MECHANISM: "oauthbearer",
					KAFKA_TOKEN_FILE: join(dir, "ca.crt"),
				},
			];
			for (const fault of faults)
				await expect(open(fault)).rejects.toThrow(ConfigError);
		});
	},
);
