import type { Context } from "./context.ts";
import { registerOpenApi } from "./openapi/register.ts";
import { guardRoutes } from "./plugins/guard-routes.ts";
import { createHttpServer } from "./plugins/http-server.ts";
import { refuseUnknownRoutes } from "./plugins/unknown-routes.ts";
import { whatsappCallbackRoutes } from "./routes/callbacks/whatsapp.ts";
import type { App, Routes } from "./routes/routes.ts";
import { accountRoutes } from "./routes/v1/account.ts";
import { apiKeyRoutes } from "./routes/v1/api-keys.ts";
import { campaignRoutes } from "./routes/v1/campaigns.ts";
import { contactRoutes } from "./routes/v1/contacts.ts";
import { docsRoutes } from "./routes/v1/docs.ts";
import { senderIdRoutes } from "./routes/v1/sender-ids.ts";
import { serviceRoutes } from "./routes/v1/service.ts";
import { smsRoutes } from "./routes/v1/sms.ts";
import { webhookRoutes } from "./routes/v1/webhooks.ts";
import { whatsappListRoutes } from "./routes/v1/whatsapp-lists.ts";
import { whatsappSendRoutes } from "./routes/v1/whatsapp-send.ts";

/** Where version 1 of the public API lives. */
const BASE_PATH = "/api/v1";

/** Every resource of version 1. */
const routesV1: readonly Routes[] = [
	serviceRoutes,
	docsRoutes,
	smsRoutes,
	whatsappListRoutes,
	whatsappSendRoutes,
	accountRoutes,
	contactRoutes,
	campaignRoutes,
	senderIdRoutes,
	apiKeyRoutes,
	webhookRoutes,
];

/** Builds the application without listening. Throws when a route does not say who may use it. */
export async function buildApp(
	ctx: Context,
	resources: readonly Routes[] = routesV1,
): Promise<App> {
	const app = createHttpServer(ctx);
	guardRoutes(app, ctx);
	refuseUnknownRoutes(app, ctx);
	await registerOpenApi(app, BASE_PATH);
	for (const addRoutes of resources)
		await app.register(async (scope: App) => addRoutes(scope, ctx), {
			prefix: BASE_PATH,
		});
	await app.register(async (scope: App) => whatsappCallbackRoutes(scope, ctx));
	await app.ready();
	return app;
}
