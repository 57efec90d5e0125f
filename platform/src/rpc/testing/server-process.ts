import { parseKeyRing } from "../../runtime/key-ring.ts";
import { startTestServer } from "./server.ts";

/**
 * A test server as a process of its own: `node server-process.ts <port> <key ring>`. Its CreateEndpoint never
 * returns; its ListEndpoints lists those with which it has begun.
 */
const begun: string[] = [];
const [port, ring] = process.argv.slice(2);
const server = await startTestServer({
	port: Number(port),
	ring: parseKeyRing(ring ?? ""),
	webhooks: {
		createEndpoint({ url }) {
			begun.push(url);
			return new Promise(() => undefined);
		},
		listEndpoints: () => ({ endpoints: begun.map((url) => ({ url })) }),
	},
});
process.send?.({ port: server.port });
