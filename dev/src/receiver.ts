import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedCallback {
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

export interface Receiver {
	readonly url: string;
	close(): Promise<void>;
}

/** Listens on a free port of an address, 127.0.0.1 when absent, and takes every callback at once. */
export async function startReceiver({
	onCallback,
	host = "127.0.0.1",
}: {
	readonly onCallback: (callback: ReceivedCallback) => void;
	readonly host?: string | undefined;
}): Promise<Receiver> {
	const server = createServer(async (request, response) => {
		const body = await text(request).catch(() => undefined);
		if (body === undefined) return response.destroy();
		const headers = request.headers as ReceivedCallback["headers"];
		onCallback({ headers, body, receivedAt: Date.now() });
		response.writeHead(200).end();
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, host, resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://${host}:${port}/`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
