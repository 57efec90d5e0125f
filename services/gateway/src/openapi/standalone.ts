import { createTokenSigner } from "@airtower/platform/caller-token";
import { connectDatabase } from "@airtower/platform/database";
import { parseKeyRing } from "@airtower/platform/key-ring";
import { createLogger } from "@airtower/platform/log";
import { createMetrics } from "@airtower/platform/metrics";
import { buildApp } from "../app.ts";
import { createClients } from "../clients.ts";
import { createContext } from "../context.ts";

/** The OpenAPI document as it is frozen in openapi.json, from routes that are never called. */
export async function openApiText(): Promise<string> {
	const nowhere = "http://127.0.0.1:1";
	const ring = parseKeyRing(`unused:${Buffer.alloc(32).toString("base64")}`);
	const sql = connectDatabase({
		url: "postgres://127.0.0.1:1/unused",
		schema: "unused",
		poolSize: 1,
		applicationName: "openapi",
	});
	const ctx = createContext(
		{ CURSOR_KEYS: ring, FAILED_AUTH_LIMIT: 1 },
		{
			sql,
			log: createLogger({ service: "openapi", level: "silent" }),
			metrics: createMetrics("openapi"),
			clients: createClients({
				urls: { accounts: nowhere, messaging: nowhere, webhooks: nowhere },
				signer: createTokenSigner({ ring, issuer: "openapi" }),
			}),
			nowMs: Date.now,
		},
	);
	const app = await buildApp(ctx);
	const text = `${JSON.stringify(app.openApi(), null, "\t")}\n`;
	await app.close();
	await sql.end();
	return text;
}
