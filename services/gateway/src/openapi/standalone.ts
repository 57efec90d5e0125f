import { connectDatabase } from "@airtower/platform/database/database";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { createLogger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { buildApp } from "../app.ts";
import { createClients } from "../clients.ts";
import { type Context, createContext } from "../context.ts";

/** The OpenAPI document as it is frozen in openapi.json. */
export async function openApiText(): Promise<string> {
	const { ctx, close } = unconnectedContext();
	const app = await buildApp(ctx);
	const text = `${JSON.stringify(app.openApi(), null, "\t")}\n`;
	await app.close();
	await close();
	return text;
}

/** A context for an application whose routes are looked at and never called: nothing is dialled. */
export function unconnectedContext(): {
	readonly ctx: Context;
	close(): Promise<void>;
} {
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
				urls: {
					accounts: nowhere,
					messaging: nowhere,
					whatsapp: nowhere,
					campaigns: nowhere,
					webhooks: nowhere,
				},
				signer: createTokenSigner({ ring, issuer: "openapi" }),
			}),
			nowMs: Date.now,
		},
	);
	return { ctx, close: () => sql.end() };
}
