import { randomInt } from "node:crypto";
import { verifiesWithLibrary } from "@airtower/dev/demo/verify-callback";
import {
	type ReceivedCallback,
	startReceiver,
} from "@airtower/dev/load/receiver";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished } from "vitest";
import type { typedClient } from "../api/client.ts";
import type { AdminClients } from "./organization.ts";

/** Longest wait for callbacks on a busy machine, ms. */
const CALLBACKS_MS = 180_000;

/** Subscribes to a kind; waits then for so many events, and returns their data. */
export async function listen(
	client: ReturnType<typeof typedClient>,
	kind: "message.received" | "message.canceled" | "report.daily",
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
export function randomNumber(): string {
	return `+3378${randomInt(10_000_000).toString().padStart(7, "0")}`;
}

/** Texts to the number are the organization's. */
export async function receiveOn(
	{ inbound }: AdminClients,
	number: string,
	organizationId: string,
): Promise<void> {
	await inbound.addInboundNumber({ number, organizationId });
}
