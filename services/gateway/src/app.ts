import type { Context } from "./context.ts";
import { publicAccess } from "./domain/access.ts";
import { BASE_PATH } from "./domain/route-path.ts";
import { registerOpenApi } from "./openapi/register.ts";
import { guardRoutes } from "./plugins/guard-routes.ts";
import { createHttpServer } from "./plugins/http-server.ts";
import { refuseUnknownRoutes } from "./plugins/unknown-routes.ts";
import { smsCallbackRoutes } from "./routes/callbacks/sms.ts";
import { whatsappCallbackRoutes } from "./routes/callbacks/whatsapp.ts";
import type { App, Routes } from "./routes/routes.ts";
import { operationsV1 } from "./routes/v1/operations.ts";

/** Builds the application without listening. Throws when a route does not say who may use it. */
export async function buildApp(
	ctx: Context,
	operations: readonly Routes[] = operationsV1,
): Promise<App> {
	const app = createHttpServer(ctx);
	guardRoutes(app, ctx);
	refuseUnknownRoutes(app, ctx);
	await registerOpenApi(app, BASE_PATH);
	leadToDocs(app, `${BASE_PATH}/docs`);
	const addOperations = async (scope: App) => {
		for (const addRoutes of operations) addRoutes(scope, ctx);
	};
	await app.register(addOperations, { prefix: BASE_PATH });
	await app.register(async (scope: App) => whatsappCallbackRoutes(scope, ctx));
	await app.register(async (scope: App) => smsCallbackRoutes(scope, ctx));
	await app.ready();
	return app;
}

/** Leads those who type the host alone into a browser to the documentation. */
function leadToDocs(app: App, docsPath: string): void {
	app.route({
		method: "GET",
		url: "/",
		config: { access: publicAccess },
		schema: { hide: true },
		handler: (_request, reply) => reply.redirect(docsPath, 302),
	});
}
