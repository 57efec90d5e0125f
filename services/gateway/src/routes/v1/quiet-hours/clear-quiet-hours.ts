import { scopeAccess } from "../../../domain/access.ts";
import { addressOf } from "../../../domain/client-address.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "DELETE",
	url: "/quiet-hours",
	config: { access: scopeAccess("campaigns:write") },
	schema: {
		operationId: "clearQuietHours",
		tags: ["Quiet hours"],
		summary: "End the quiet hours",
		description: [
			"Bulk messages go at any time from now on; what was accepted before keeps its time. Where there are none it",
			"changes nothing and gets the same response.",
		].join(" "),
		response: { 200: successBody({}) },
	},
} as const;

export const clearQuietHours: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId, apiKeyId: callerApiKeyId } = callerOf(request);
			await clients.quietHours.clearQuietHours({
				organizationId,
				callerApiKeyId,
				callerAddress: addressOf(request),
			});
			return { success: true as const };
		},
	});
};
