import { parseKeyRing } from "../../runtime/key-ring.ts";
import { startTestServer } from "./server.ts";

/** `node server-process.ts <port> <key ring>`; ListEndpoints lists what CreateEndpoint, which never returns, began. */
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
