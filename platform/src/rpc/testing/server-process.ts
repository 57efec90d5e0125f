import { parseTrustedKeys } from "../../identity/trusted-keys.ts";
import { startTestServer } from "./server.ts";

/** `node server-process.ts <port> <JWK set>`; ListEndpoints lists what CreateEndpoint, which never returns, began. */
const begun: string[] = [];
const [port, keys = ""] = process.argv.slice(2);
const trusted = parseTrustedKeys(keys);
const server = await startTestServer({
	port: Number(port),
	trustedKeys: () => trusted,
	webhooks: {
		createEndpoint({ url }) {
			begun.push(url);
			return new Promise(() => undefined);
		},
		listEndpoints: () => ({ endpoints: begun.map((url) => ({ url })) }),
	},
});
process.send?.({ port: server.port });
