import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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
import { canRunKafka } from "../src/servers/kafka-jars.ts";

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

		function open(settings: KafkaAccessSettings): Promise<EventBus> {
			return createEventBus({
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
		"sasl.enabled.mechanisms": "SCRAM-SHA-512,OAUTHBEARER",
		// Without a validator of its own the broker takes unsigned tokens, but not those that are over.
		"listener.name.secured.oauthbearer.sasl.jaas.config":
			'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
		"listener.name.secured.scram-sha-512.sasl.jaas.config":
			"org.apache.kafka.common.security.scram.ScramLoginModule required;",
		"ssl.keystore.type": "PEM",
		"ssl.keystore.certificate.chain": pem(cert),
		"ssl.keystore.key": pem(key),
	};
}

/** An unsigned JSON web token (RFC 7519, 6) that ends so many seconds from now. */
function tokenOf(subject: string, endsInS: number): string {
	const now = Math.floor(Date.now() / 1_000);
	const claims = { sub: subject, iat: now - 7_200, exp: now + endsInS };
	const parts = [{ alg: "none" }, claims].map((part) =>
		Buffer.from(JSON.stringify(part)).toString("base64url"),
	);
	return `${parts.join(".")}.`;
}

async function startTokenServer(token: string) {
	const asked: unknown[] = [];
	const server = createServer(async (request, response) => {
		asked.push([request.headers.authorization, await text(request)]);
		response.end(JSON.stringify({ access_token: token, expires_in: 3_600 }));
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/token`, asked };
}
