import {
	createServer,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

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

export interface ReceiverOptions {
	/** TCP port on 127.0.0.1; a free one when absent. */
	readonly port?: number;
	/** Status of the response; 200 when absent. */
	readonly statusFor?: (callback: ReceivedCallback) => number;
	readonly onCallback?: (callback: ReceivedCallback) => void;
}

export interface Receiver {
	readonly url: string;
	close(): Promise<void>;
}

export async function startReceiver(
	options: ReceiverOptions = {},
): Promise<Receiver> {
	const server = createServer((request, response) => {
		receive(request, response, options).catch(() => response.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port ?? 0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function receive(
	request: IncomingMessage,
	response: ServerResponse,
	{ onCallback, statusFor }: ReceiverOptions,
): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const callback = {
		headers: request.headers as Record<string, string>,
		body: Buffer.concat(chunks).toString("utf8"),
		receivedAt: Date.now(),
	};
	onCallback?.(callback);
	response.writeHead(statusFor?.(callback) ?? 200).end();
}
