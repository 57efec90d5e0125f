import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { getQuietHoursReply } from "../../../schemas/quiet-hours.ts";
import type { Routes } from "../../routes.ts";
import { toQuietHours } from "./to-quiet-hours.ts";

const operation = {
	method: "GET",
	url: "/quiet-hours",
	config: { access: scopeAccess("campaigns:read") },
	schema: {
		operationId: "getQuietHours",
		tags: ["Quiet hours"],
		summary: "Show the quiet hours",
		description: "Null where there are none, which is the default.",
		response: { 200: getQuietHoursReply },
	},
} as const;

export const getQuietHours: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const found = await clients.quietHours.getQuietHours({ organizationId });
			const quietHours = found.quietHours ?? null;
			return {
				success: true as const,
				quietHours: quietHours && toQuietHours(quietHours),
			};
		},
	});
};
