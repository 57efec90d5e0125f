import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type ReceivedCallback,
	startReceiver,
} from "@airtower/dev/load/receiver";
import type { Secrets } from "@airtower/dev/secrets/secrets";
import { loadSecrets, saveSecrets } from "@airtower/dev/secrets/secrets-file";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { actOn } from "./support/admin-system.ts";

const RINGS = [
	"encryptionKeys",
	"accountsEncryptionKeys",
	"messagingEncryptionKeys",
	"whatsappEncryptionKeys",
] as const;
const SERVICES = ["accounts", "messaging", "webhooks", "whatsapp"];

let dataDir: string;
let system: System;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-reseal-"));
	await chmod(dataDir, 0o755);
	system = await startSystem({ dataDir });
});

afterAll(async () => {
	await system.stop();
	await rm(dataDir, { recursive: true, force: true });
});

/** Starts the system again with other encryption keys. */
async function restartWith(change: (ring: string) => string): Promise<void> {
	await system.stop();
	const secrets = await loadSecrets(dataDir);
	const changed = RINGS.map((name) => [name, change(secrets[name])]);
	await saveSecrets(dataDir, {
		...secrets,
		...(Object.fromEntries(changed) as Partial<Secrets>),
	});
	system = await startSystem({ dataDir });
}

const withNewKey = (ring: string) =>
	`new:${randomBytes(32).toString("base64")},${ring}`;
const newestAlone = (ring: string) => ring.split(",")[0] ?? "";

/** The same request under the same Idempotency-Key, whenever it is made. */
async function repeatable<T>(
	path: string,
	key: string,
	body: unknown,
): Promise<T> {
	const response = await fetch(`${system.baseUrl}${path}`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${key}`,
			"content-type": "application/json",
			"idempotency-key": `repeat${path.replaceAll("/", "-")}`,
		},
		body: JSON.stringify(body),
	});
	expect(response.ok).toBe(true);
	return (await response.json()) as T;
}

async function registerNumber(organization: string): Promise<void> {
	const tokenFile = join(dataDir, "token");
	await writeFile(tokenFile, `${system.cloudApiToken}\n`);
	const { phone, providerPhoneNumberId, providerAccountId } = cloudApiNumber;
	await actOn(system).json(
		...["numbers", "register", organization, phone],
		...["--token-file", tokenFile],
		...["--provider-number-id", providerPhoneNumberId],
		...["--provider-account-id", providerAccountId],
	);
}

test("once all is sealed anew the old keys can go: callbacks, tokens and stored responses are as before", async () => {
	const callbacks: ReceivedCallback[] = [];
	const receiver = await startReceiver({
		onCallback: (callback) => callbacks.push(callback),
	});
	onTestFinished(() => receiver.close());
	const { json, newOrganization, requestSender } = actOn(system);
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Acme");
	await json("senders", "approve", name, "Acme");
	const { secret: key } = await json<{ secret: string }>(
		...["keys", "issue", name, "all"],
	);
	const endpoint = () =>
		repeatable<{ signingSecret: string }>("/webhooks", key, {
			url: receiver.url,
			subscribed_events: ["message.delivered"],
		});
	const apiKey = () =>
		repeatable<{ secret: string }>("/api-keys", key, { name: "ci" });
	const made = { endpoint: await endpoint(), apiKey: await apiKey() };
	await registerNumber(name);

	await restartWith(withNewKey);
	const counted = await actOn(system).admin("secrets", "count", "--json");
	const left = { newest_key: "new", left: expect.any(Number), unreadable: 0 };
	expect(JSON.parse(counted.stdout)).toMatchObject(
		SERVICES.map((service) => ({ service, ...left })),
	);
	const resealed = await actOn(system).admin("secrets", "reseal");
	expect(resealed).toMatchObject({ exitCode: 0 });
	expect(resealed.stdout).toContain("Nothing is sealed under older keys");

	await restartWith(newestAlone);
	const { stdout } = await actOn(system).admin("secrets", "count", "--json");
	expect(JSON.parse(stdout)).toMatchObject(
		SERVICES.map((service) => ({ service, left: 0, unreadable: 0 })),
	);
	expect(await endpoint()).toEqual(made.endpoint);
	expect(await apiKey()).toEqual(made.apiKey);
	await actOn(system).json("templates", "sync", name);
	await actOn(system).send(made.apiKey.secret);
	const [callback] = await eventually(() => {
		expect(callbacks).toHaveLength(1);
		return callbacks;
	});
	const secret = made.endpoint.signingSecret;
	const webhook = new Webhook(secret, { format: "raw" });
	const headers = callback?.headers as Record<string, string>;
	expect(webhook.verify(callback?.body ?? "", headers)).toMatchObject({
		type: "message.delivered",
	});
});
