import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { callApi, type PublicApi } from "../demo/public-api.ts";
import { type Behaviour, behave } from "./receiver-behaviour.ts";

export interface ReceivedCallback {
	readonly path: string;
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** The raw text: what the signatures are over. */
	readonly body: string;
	/** Unix milliseconds. */
	readonly receivedAt: number;
}

export interface CallbackBody {
	readonly id: string;
	readonly type: string;
	readonly created_at: string;
	readonly data: Readonly<
		Record<"message_id" | "channel" | "status" | "to" | "occurred_at", string> &
			Record<"client_reference" | "campaign_id", string | null>
	>;
}

/** Customers' endpoints, one for each path. */
export interface Receiver {
	/** Without a path. */
	readonly url: string;
	/** From now on callbacks to the path are treated in this way; they are told of all the same. */
	behave(path: string, behaviour: Behaviour): void;
	/** Bytes that a path has sent in place of a short response. */
	bytesSentBy(path: string): number;
	close(): Promise<void>;
}

export interface Endpoint {
	readonly webhookEndpoint: { readonly id: string };
	readonly signingSecret: string;
}

/** Listens on a free port of an address, 127.0.0.1 when absent, and accepts every callback at once. */
export async function startReceiver({
	onCallback,
	host = "127.0.0.1",
}: {
	readonly onCallback: (callback: ReceivedCallback) => void;
	readonly host?: string | undefined;
}): Promise<Receiver> {
	const behaviours = new Map<string, Behaviour>();
	const bytes = new Map<string, number>();
	const server = createServer(async (request, response) => {
		const body = await text(request).catch(() => undefined);
		if (body === undefined) return response.destroy();
		const { url: path = "/" } = request;
		const headers = request.headers as ReceivedCallback["headers"];
		onCallback({ path, headers, body, receivedAt: Date.now() });
		const count = (sent: number) =>
			bytes.set(path, (bytes.get(path) ?? 0) + sent);
		await behave(response, behaviours.get(path) ?? "accept", count);
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(0, host, resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://${host}:${port}`,
		behave: (path, behaviour) => behaviours.set(path, behaviour),
		bytesSentBy: (path) => bytes.get(path) ?? 0,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** Has the outcomes of all messages of an organization posted to the URL. */
export async function addEndpoint(
	api: PublicApi,
	url: string,
): Promise<Endpoint> {
	const { body } = await callApi<Endpoint>(api, "POST", "/webhooks", {
		url,
		subscribed_events: ["message.delivered", "message.failed"],
	});
	return body;
}
