import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { addressOf } from "../../../domain/client-address.ts";
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
		errors: ["unknown_api_key", "scope_not_allowed"],
	},
	schema: {
		operationId: "deleteApiKey",
		tags: ["API keys"],
		summary: "Revoke an API key",
		description: [
			"A key may revoke only keys whose scopes it has, itself included.",
			"It is refused everywhere within seconds, by the gateway that took this request at once.",
		].join(" "),
		params: apiKeyParams,
		response: { 200: successBody({}) },
	},
} as const;

export const deleteApiKey: Routes = (app, { clients, keys }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId, apiKeyId: callerApiKeyId } = callerOf(request);
			const { apiKeyId } = request.params;
			if (!isUuid(apiKeyId))
				throw new RefusalError({ code: "unknown_api_key" });
			await clients.account.deleteApiKey({
				organizationId,
				apiKeyId,
				callerApiKeyId,
				callerAddress: addressOf(request),
			});
			keys.forget(apiKeyId.toLowerCase());
			return { success: true as const };
		},
	});
};
