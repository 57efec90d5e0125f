import { publicAccess } from "../../../domain/access.ts";
import type { Routes } from "../../routes.ts";
import { CONTENT_SECURITY_POLICY, PAGE, START } from "./docs-page.ts";
import { loadScalar } from "./scalar.ts";

/** GET /docs: the interactive API reference. */
export const docsRoutes: Routes = (app) => {
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

	app.get("/docs/scalar.js", route, async ({ headers }, reply) => {
		scalar ??= loadScalar();
		const { etag, plain, gzipped } = await scalar;
		reply
			.header("cache-control", "no-cache")
			.header("etag", etag)
			.header("vary", "accept-encoding")
			.type("text/javascript; charset=utf-8");
		if (headers["if-none-match"] === etag) return reply.code(304).send();
		if (!/\bgzip\b/.test(headers["accept-encoding"] ?? ""))
			return reply.send(plain);
		return reply.header("content-encoding", "gzip").send(gzipped);
	});
};
