import { connectDatabase } from "@airtower/platform/database/database";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { createLogger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import { buildApp } from "../app.ts";
import { createClients } from "../clients.ts";
import { type Context, createContext } from "../context.ts";

const NOWHERE = "http://127.0.0.1:1";
const unused = { tokenFor: async () => "" };

/** The OpenAPI document as it is frozen in openapi.json. */
export async function openApiText(): Promise<string> {
	const ctx = unconnectedContext();
	const app = await buildApp(ctx);
	const text = `${JSON.stringify(app.openApi(), null, "\t")}\n`;
	await app.close();
	await ctx.sql.end();
	return text;
}

/** A context for an application whose routes are read and never called: it opens no connection. */
export function unconnectedContext(): Context {
	const ring = parseKeyRing(`unused:${Buffer.alloc(32).toString("base64")}`);
	const sql = connectDatabase({
		url: "postgres://127.0.0.1:1/unused",
		schema: "unused",
		poolSize: 1,
		applicationName: "openapi",
	});
	const clients = createClients(
		() => NOWHERE,
		(service, audience, baseUrl) =>
			createRpcClient({ service, audience, baseUrl, signer: unused }),
	);
	const config = {
		CURSOR_KEYS: ring,
		FAILED_AUTH_LIMIT: 1,
		CONNECTIONS_PER_ADDRESS: 1,
	};
	return createContext(config, {
		sql,
		clients,
		log: createLogger({ service: "openapi", level: "silent" }),
		metrics: createMetrics("openapi"),
		nowMs: Date.now,
		monotonicMs: () => performance.now(),
	});
}
