import { setTimeout as delay } from "node:timers/promises";
import type { ApiRequest, LoadClient } from "../../load/client.ts";
import type { Ledger, Sent } from "./ledger.ts";

export interface LoadRequest extends ApiRequest {
	readonly readId: (body: Record<string, unknown>) => string;
}

interface Client {
	/** Addresses of the API; another one is tried when one cannot be reached. */
	readonly baseUrls: readonly string[];
	readonly connections: LoadClient;
	readonly ledger: Ledger;
}

const RETRY_MS = 150;
const GIVE_UP_MS = 240_000;
const ACCEPTED = [201, 202];
/** The same key is in use by a request that is under way. */
const IN_USE = 409;
/** Told to come again with the same key. */
const COME_AGAIN = [IN_USE, 429, 503];

/** Sends as a careful client does: under the same key until it is accepted. */
export async function sendUntilAccepted(
	client: Client,
	sent: Sent,
	request: LoadRequest,
): Promise<void> {
	const { ledger } = client;
	const deadline = Date.now() + GIVE_UP_MS;
	for (let tries = 0; Date.now() < deadline; tries++) {
		sent.tries++;
		try {
			const { status, body } = await post(client, sent, request, tries);
			if (ACCEPTED.includes(status)) {
				sent.ids.add(request.readId(body));
				return;
			}
			const why = `${status} ${JSON.stringify(body)}`;
			if (status !== IN_USE) ledger.noteFailure(why);
			if (!COME_AGAIN.includes(status)) {
				ledger.surprises.push(`${sent.key}: ${why}`);
				if (status < 500) return;
			}
		} catch (error) {
			ledger.noteFailure(String((error as Error).message));
		}
		await delay(RETRY_MS);
	}
	ledger.surprises.push(`${sent.key}: never accepted`);
}

async function post(
	{ baseUrls, connections }: Client,
	{ tenant: { apiKey }, key }: Sent,
	request: LoadRequest,
	tries: number,
) {
	const baseUrl = baseUrls[tries % baseUrls.length] ?? "";
	const keyed = { ...request, idempotencyKey: key };
	const { status, text } = await connections.post({ baseUrl, apiKey }, keyed);
	return { status, body: JSON.parse(text) as Record<string, unknown> };
}
