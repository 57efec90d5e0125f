import { expect, test } from "vitest";
import { typedClient } from "./api/client.ts";
import { listen, randomNumber, receiveOn } from "./support/listen.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const QUOTA = 10;
/** Longest wait on a busy machine, ms. */
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
		await receiveOn(admin, to, id);
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
