import fastify from "fastify";
import { publicAccess } from "../../../domain/access.ts";
import type { Routes } from "../../routes.ts";
import {
	type CachedText,
	sendCachedText,
	toCachedText,
} from "./cached-text.ts";
import { CONTENT_SECURITY_POLICY, PAGE, START } from "./docs-page.ts";

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

/** The reference's script, as its package serves it. */
async function loadScalar(): Promise<CachedText> {
	const { default: apiReference } = await import(
		"@scalar/fastify-api-reference"
	);
	const source = fastify();
	await source.register(apiReference, {
		routePrefix: "/docs",
		configuration: { url: "openapi.json" },
	});
	const { payload } = await source.inject("/docs/js/scalar.js");
	await source.close();
	return toCachedText(payload);
}
