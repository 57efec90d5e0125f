import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { sendRefusal } from "./errors.ts";

/** Tells unknown paths from known paths with another method; both before any body is read. */
export interface UnknownRoutes {
	/** Learns a route; an onRoute hook. */
	readonly learn: (route: Pick<RouteOptions, "method" | "url">) => void;
	/** Answers 404, 405 with Allow, or OPTIONS. */
	readonly answer: (request: FastifyRequest, reply: FastifyReply) => void;
}

export function createUnknownRoutes(): UnknownRoutes {
	const methodsOf = new Map<string, Set<string>>();

	function allowedMethods(path: string): string {
		const methods = new Set<string>();
		for (const [pattern, known] of methodsOf)
			if (matches(pattern, path))
				for (const method of known) methods.add(method);
		return [...methods].sort().join(", ");
	}

	return {
		learn: ({ method, url }) => {
			const known = methodsOf.get(url) ?? new Set(["OPTIONS"]);
			for (const name of [method].flat()) known.add(name);
			methodsOf.set(url, known);
		},
		answer: (request, reply) => {
			const allowed = allowedMethods(request.url.split("?", 1)[0] ?? "");
			if (allowed === "")
				return sendRefusal(reply, { code: "route_not_found" });
			reply.header("allow", allowed);
			if (request.method !== "OPTIONS")
				return sendRefusal(reply, { code: "method_not_allowed" });
			reply.code(204).send();
		},
	};
}

/** True when each segment of the path equals the pattern's, or fills a ":name" of it. */
function matches(pattern: string, path: string): boolean {
	const wanted = pattern.split("/");
	const given = path.split("/");
	return (
		wanted.length === given.length &&
		wanted.every(
			(part, index) =>
				part === given[index] || (part.startsWith(":") && given[index] !== ""),
		)
	);
}
