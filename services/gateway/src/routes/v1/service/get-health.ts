import type { Context } from "../../../context.ts";
import { publicAccess } from "../../../domain/access.ts";
import { isAllOk, takesMessages } from "../../../health-board.ts";
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
			description: [
				"Always 200: the body tells whether messages are accepted, which part is not ok, and how late deliveries are.",
				"It is at most three seconds old, its ages at most ten.",
			].join(" "),
			response: { 200: healthReply },
		},
		handler: (_request, reply) => {
			reply.send(toHealth(ctx));
		},
	});
};

function toHealth(ctx: Context): HealthReply {
	const { health, sms, version } = ctx;
	const { backlogs } = health;
	const accepting = takesMessages(health) && !sms.isFull();
	return {
		status: accepting ? (isAllOk(health) ? "ok" : "degraded") : "unavailable",
		accepting,
		version,
		uptimeSeconds: Math.floor((ctx.monotonicMs() - ctx.startedAtMs) / 1_000),
		services: { ...health.services },
		oldestUnsentSeconds: Math.max(backlogs.messaging, backlogs.whatsapp),
		oldestUndeliveredCallbackSeconds: backlogs.webhooks,
	};
}
