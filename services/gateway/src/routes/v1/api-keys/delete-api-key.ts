import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { apiKeyParams } from "../../../schemas/api-keys.ts";
import { successBody } from "../../../schemas/common.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "DELETE",
	url: "/api-keys/:apiKeyId",
	config: {
		access: scopeAccess("api_keys:write"),
		errors: ["unknown_api_key"],
	},
	schema: {
		operationId: "deleteApiKey",
		tags: ["API keys"],
		summary: "Revoke an API key",
		description: "It is refused everywhere within seconds.",
		params: apiKeyParams,
		response: { 200: successBody({}) },
	},
} as const;

export const deleteApiKey: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { apiKeyId } = request.params;
			if (!isUuid(apiKeyId))
				throw new RefusalError({ code: "unknown_api_key" });
			await clients.account.deleteApiKey({ organizationId, apiKeyId });
			return { success: true as const };
		},
	});
};
