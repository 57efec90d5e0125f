import { setInterval } from "node:timers";
import { parseTrustedKeys } from "../../src/identity/trusted-keys.ts";
import { startTestServer } from "../../src/rpc/testing/server.ts";

/**
 * `node limited-server.ts <JWK set>`: a service's RPC port. Tells its port, then its memory ten times a second, MiB.
 */
const [keys = ""] = process.argv.slice(2);
const trusted = parseTrustedKeys(keys);
const server = await startTestServer({ trustedKeys: () => trusted });
process.send?.({ port: server.port });
setInterval(() => {
	process.send?.({ rssMib: process.memoryUsage.rss() / 1_048_576 });
}, 100);
