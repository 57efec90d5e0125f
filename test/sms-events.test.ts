import { randomInt } from "node:crypto";
import { verifiesWithLibrary } from "@airtower/dev/demo/verify-callback";
import {
	type ReceivedCallback,
	startReceiver,
} from "@airtower/dev/load/receiver";
import { readKey } from "@airtower/dev/secrets/identity-keys";
import { createTokenSigner } from "@airtower/platform/identity/caller-token";
import { eventually } from "@airtower/platform/testing/eventually";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { expect, onTestFinished, test } from "vitest";
import { typedClient } from "./api/client.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const QUOTA = 10;
/** Longest waits on a busy machine, ms: for callbacks, and for a test. */
const CALLBACKS_MS = 120_000;
const LONGEST_MS = 240_000;
const HOUR_MS = 3_600_000;
const UCS2 = 8;
const LONG = `${"Oui, à 9 h, devant l'entrée. ".repeat(8)}👍`;

test(
	"what a phone writes comes back signed, as it was written, and stands in the list of its organization alone",
	async () => {
		const system = await sharedSystem();
		const admin = adminClients(system);
		const { id, apiKey } = await createOrganization(admin, QUOTA);
		const { apiKey: otherKey } = await createOrganization(admin, QUOTA);
		const client = typedClient(system.baseUrl, apiKey);
		const other = typedClient(system.baseUrl, otherKey);
		const [from, to] = [randomNumber(), randomNumber()];
		await receiveOn(system, to, id);
		const hear = await listen(client, "message.received");
		await writeTexts(system, [
			{ from, to, text: "Yes" },
			{ from, to, text: LONG, dataCoding: UCS2 },
		]);
		const told = await hear(2);
		const { messages } = await client.get("/sms/inbound");
		expect(messages).toHaveLength(2);
		for (const { id, ...message } of messages)
			expect(told).toContainEqual({
				message_id: id,
				channel: "sms",
				...message,
			});
		expect(messages).toContainEqual(
			expect.objectContaining({ from, to, text: "Yes", parts: 1 }),
		);
		expect(messages).toContainEqual(
			expect.objectContaining({ from, to, text: LONG, is_complete: true }),
		);
		expect((await other.get("/sms/inbound")).messages).toEqual([]);
	},
	LONGEST_MS,
);

test(
	"a message that is taken back before its time is told of once, signed",
	async () => {
		const system = await sharedSystem();
		const admin = adminClients(system);
		const { apiKey } = await createOrganization(admin, QUOTA);
		const client = typedClient(system.baseUrl, apiKey);
		const hear = await listen(client, "message.canceled");
		const to = randomNumber();
		const { provider } = await client.post("/sms/send", {
			to,
			message: "Later",
			send_at: new Date(Date.now() + HOUR_MS).toISOString(),
			clientReference: "order-7",
		});
		const segment = provider.messageId;
		for (let times = 0; times < 2; times++)
			await client.delete("/sms/messages/{messageId}", { segment });
		expect(await hear(1)).toEqual([
			expect.objectContaining({
				message_id: segment,
				status: "canceled",
				to,
				client_reference: "order-7",
				error: null,
			}),
		]);
	},
	LONGEST_MS,
);

/** Subscribes to a kind; waits then for so many events, and returns their data. */
async function listen(
	client: ReturnType<typeof typedClient>,
	kind: "message.received" | "message.canceled",
) {
	// By event: a callback whose response comes late is repeated.
	const callbacks = new Map<string, ReceivedCallback>();
	const receiver = await startReceiver({
		onCallback: (callback) =>
			callbacks.set(JSON.parse(callback.body).id, callback),
	});
	onTestFinished(receiver.close);
	const { signingSecret } = await client.post("/webhooks", {
		url: receiver.url,
		subscribed_events: [kind],
	});
	return async (count: number): Promise<object[]> => {
		await eventually(() => expect(callbacks.size).toBe(count), {
			timeoutMs: CALLBACKS_MS,
		});
		return [...callbacks.values()].map((callback) => {
			expect(verifiesWithLibrary(signingSecret, callback)).toBe(true);
			const { type, data } = JSON.parse(callback.body);
			expect(type).toBe(kind);
			return data;
		});
	};
}

/** A mobile number that no other test has. */
function randomNumber(): string {
	return `+3378${randomInt(10_000_000).toString().padStart(7, "0")}`;
}

async function receiveOn(
	system: SharedSystem,
	number: string,
	organizationId: string,
): Promise<void> {
	const key = readKey(system.keysDir, "admin");
	const inbound = testRpcClient({
		service: InboundAdminService,
		baseUrl: system.addresses.messaging.rpcUrl,
		audience: "messaging",
		signer: createTokenSigner({ key, person: "test" }),
	});
	await inbound.addInboundNumber({ number, organizationId });
}

/** Phones write, by the operator. */
async function writeTexts(
	system: SharedSystem,
	texts: readonly {
		from: string;
		to: string;
		text: string;
		/** That of GSM where absent. */
		dataCoding?: number;
	}[],
): Promise<void> {
	const { ok, status } = await fetch(`${system.smsc?.controlUrl}/messages`, {
		method: "POST",
		body: JSON.stringify(texts),
	});
	if (!ok) throw new Error(`The simulator responded ${status}.`);
}
