import { publicAccess } from "../../../domain/access.ts";
import type { Routes } from "../../routes.ts";
import { sendCachedText } from "./cached-text.ts";
import { CONTENT_SECURITY_POLICY, PAGE, START } from "./docs-page.ts";
import { loadScalar } from "./scalar.ts";

/** GET /docs: the interactive API reference. */
export const docsRoutes: Routes = (app, { documents }) => {
	let scalar: ReturnType<typeof loadScalar> | undefined;
	const route = { config: { access: publicAccess }, schema: { hide: true } };

	app.get("/docs", route, (_request, reply) => {
		reply
			.header("content-security-policy", CONTENT_SECURITY_POLICY)
			.header("referrer-policy", "no-referrer")
			.type("text/html; charset=utf-8")
			.send(PAGE);
	});

	app.get("/docs/start.js", route, (_request, reply) => {
		reply.type("text/javascript; charset=utf-8").send(START);
	});

	app.get("/docs/scalar.js", route, async (request, reply) => {
		scalar ??= loadScalar();
		reply.type("text/javascript; charset=utf-8");
		return sendCachedText(request, reply, await scalar, documents);
	});
};
