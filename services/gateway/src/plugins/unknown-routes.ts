import type { Context } from "../context.ts";
import type { App } from "../routes/routes.ts";
import { createAccessLog, UNKNOWN_ROUTE } from "./access-log.ts";
import { limitRate, recognize } from "./auth.ts";
import { sendRefusal } from "./errors.ts";

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

/** Methods by the pattern of their routes. */
type MethodsOf = ReadonlyMap<string, ReadonlySet<string>>;

/** What the header Allow says of a path; empty for one that no route has. */
function allowedMethods(methodsOf: MethodsOf, path: string): string {
	const methods = [...methodsOf]
		.filter(([pattern]) => matches(pattern, path))
		.flatMap(([, known]) => [...known]);
	return [...new Set(methods)].sort().join(", ");
}

/** True when each segment of the path equals the pattern's, or fills a ":name" of it. */
function matches(pattern: string, path: string): boolean {
	const wanted = pattern.split("/");
	const given = path.split("/");
	const isFilled = (part: string, value: string | undefined) =>
		part === value || (part.startsWith(":") && value !== "");
	return (
		wanted.length === given.length &&
		wanted.every((part, index) => isFilled(part, given[index]))
	);
}
