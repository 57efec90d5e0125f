import type { Context } from "../../../context.ts";
import { publicAccess } from "../../../domain/access.ts";
import { type HealthReply, healthReply } from "../../../schemas/service.ts";
import type { Routes } from "../../routes.ts";

export const getHealth: Routes = (app, ctx) => {
	app.route({
		method: "GET",
		url: "/health",
		config: { access: publicAccess },
		schema: {
			operationId: "getHealth",
			tags: ["Service"],
			summary: "Show the health of the service",
			description:
				"Always 200; status is degraded while a part does not respond. At most three seconds old.",
			response: { 200: healthReply },
		},
		handler: (_request, reply) => {
			reply.send(toHealth(ctx));
		},
	});
};

function toHealth(ctx: Context): HealthReply {
	const words = Object.values(ctx.health);
	return {
		status: words.every((word) => word === "ok") ? "ok" : "degraded",
		version: ctx.version,
		uptimeSeconds: Math.floor((ctx.nowMs() - ctx.startedAtMs) / 1_000),
		services: { ...ctx.health },
	};
}
