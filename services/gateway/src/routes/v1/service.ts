import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import {
	type HealthReply,
	healthReply,
	openApiReply,
	rootReply,
} from "../../schemas/service.ts";
import type { App } from "../routes.ts";

const TAGS = ["Service"];

/** GET /, GET /health and GET /openapi.json: open to all, free of limits. */
export function serviceRoutes(app: App, ctx: Context): void {
	const { prefix } = app;

	app.route({
		method: "GET",
		url: "/",
		config: { access: publicAccess },
		schema: {
			operationId: "getRoot",
			tags: TAGS,
			summary: "Show the version and where the documentation is",
			response: { 200: rootReply },
		},
		handler: (_request, reply) => {
			reply.send({
				name: "Airtower",
				version: "v1",
				docs: `${prefix}/docs`,
				openapi: `${prefix}/openapi.json`,
			});
		},
	});

	app.route({
		method: "GET",
		url: "/health",
		config: { access: publicAccess },
		schema: {
			operationId: "getHealth",
			tags: TAGS,
			summary: "Show the health of the service",
			description:
				"Always 200; status is degraded while a part does not respond. At most three seconds old.",
			response: { 200: healthReply },
		},
		handler: (_request, reply) => {
			reply.send(toHealth(ctx));
		},
	});

	app.route({
		method: "GET",
		url: "/openapi.json",
		config: { access: publicAccess },
		schema: {
			operationId: "getOpenApi",
			tags: TAGS,
			summary: "Get the OpenAPI 3.1 document",
			response: { 200: openApiReply },
		},
		handler: (_request, reply) => {
			reply.send({ ...app.openApi() });
		},
	});
}

function toHealth(ctx: Context): HealthReply {
	const words = Object.values(ctx.health);
	return {
		status: words.every((word) => word === "ok") ? "ok" : "degraded",
		version: ctx.version,
		uptimeSeconds: Math.floor((ctx.nowMs() - ctx.startedAtMs) / 1_000),
		services: { ...ctx.health },
	};
}
