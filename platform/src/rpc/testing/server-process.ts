import { parseKeyRing } from "../../key-ring.ts";
import { startTestServer } from "./server.ts";

/** A test server as a process of its own: `node server-process.ts <port> <key ring>`.
 * Its CreateEndpoint never answers. */
const [port, ring] = process.argv.slice(2);
const server = await startTestServer({
	port: Number(port),
	ring: parseKeyRing(ring ?? ""),
	webhooks: { createEndpoint: () => new Promise(() => undefined) },
});
process.send?.({ port: server.port });
