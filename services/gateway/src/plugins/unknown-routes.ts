import type { Context } from "../context.ts";
import { allowedMethods, type MethodsOf } from "../domain/allowed-methods.ts";
import type { App } from "../routes/routes.ts";
import { createAccessLog } from "./access-log.ts";
import { recognize } from "./auth.ts";
import { sendRefusal } from "./errors.ts";
import { limitRate } from "./rate-limit.ts";

/** What stands for paths that no route has: they come from outside and have no end. */
const UNKNOWN_ROUTE = "unknown";

/** Responds to what is no route with 404, 405 with Allow, or to OPTIONS; before any body is read. */
export function refuseUnknownRoutes(app: App, ctx: Context): void {
	const methodsOf = collectMethods(app);
	const log = createAccessLog(ctx, UNKNOWN_ROUTE, UNKNOWN_ROUTE);
	const find = recognize(ctx);
	const limit = limitRate(ctx);
	app.addHook("onRequest", (request, reply, done) => {
		if (request.is404) find.call(app, request, reply, done);
		else done();
	});
	app.addHook("onRequest", (request, reply, done) => {
		if (request.is404 && request.caller !== null)
			limit.call(app, request, reply, done);
		else done();
	});
	app.addHook("onRequest", (request, reply, done) => {
		if (!request.is404) return done();
		const path = request.url.split("?", 1)[0] ?? "";
		const allowed = allowedMethods(methodsOf, path);
		if (allowed !== "") reply.header("allow", allowed);
		if (allowed === "") sendRefusal(reply, { code: "route_not_found" });
		else if (request.method === "OPTIONS") reply.code(204).send();
		else sendRefusal(reply, { code: "method_not_allowed" });
		log(request, reply, reply.statusCode);
	});
}

function collectMethods(app: App): MethodsOf {
	const methodsOf = new Map<string, Set<string>>();
	app.addHook("onRoute", ({ method, url }) => {
		const known =
			methodsOf.get(url) ??
			methodsOf.get(otherEnd(url)) ??
			new Set(["OPTIONS"]);
		for (const name of [method].flat()) known.add(name);
		methodsOf.set(url, known);
	});
	return methodsOf;
}

/** The base path may be written with a slash at its end or without. */
function otherEnd(url: string): string {
	return url.endsWith("/") ? url.slice(0, -1) : `${url}/`;
}
