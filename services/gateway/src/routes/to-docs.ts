import { publicAccess } from "../domain/access.ts";
import type { App } from "./routes.ts";

/** Who types the host alone into a browser wants to read. */
export function leadToDocs(app: App, docsPath: string): void {
	app.route({
		method: "GET",
		url: "/",
		config: { access: publicAccess },
		schema: { hide: true },
		handler: (_request, reply) => reply.redirect(docsPath, 302),
	});
}
