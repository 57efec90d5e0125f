import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { Clients } from "./clients.ts";

/** The gateway's callback route in small: raw bytes and signature go to the service as they are. */
export interface CallbackGate {
	readonly url: string;
	/** Callbacks get a 503 until a service is behind the gate. */
	open(clients: Clients): void;
	close(): Promise<void>;
}

export async function startCallbackGate(): Promise<CallbackGate> {
	let clients: Clients | undefined;
	const server = createServer((request, response) => {
		void buffer(request)
			.then(async (body) => {
				if (clients === undefined) return 503;
				const signature = String(request.headers["x-hub-signature-256"] ?? "");
				await clients.whatsapp.receiveCallback({ body, signature });
				return 200;
			})
			.catch((error: unknown) =>
				domainErrorFrom(error)?.kind === "unauthenticated" ? 401 : 503,
			)
			.then((status) => response.writeHead(status).end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/callbacks/whatsapp`,
		open: (behind) => {
			clients = behind;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
