import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { scopeAccess } from "../../../domain/access.ts";
import { addressOf } from "../../../domain/client-address.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	apiKey,
	createApiKeyBody,
	createApiKeyReply,
} from "../../../schemas/api-keys.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/api-keys",
	config: {
		access: scopeAccess("api_keys:write"),
		errors: ["scope_not_allowed", "api_key_exists", "api_key_limit_reached"],
	},
	schema: {
		operationId: "createApiKey",
		tags: ["API keys"],
		summary: "Create an API key",
		description: [
			"The key itself is in this response only, and in those to repetitions with the same Idempotency-Key.",
			"An Idempotency-Key belongs to the calling API key: another one that repeats the request gets 409",
			"`idempotency_key_reused`. The new key has no scope that the calling key has not, and ends no later than",
			"the key that made it. An organization has at most 100 active keys.",
		].join(" "),
		body: createApiKeyBody,
		response: { 200: createApiKeyReply },
	},
} as const;

export const createApiKey: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId, apiKeyId: callerApiKeyId } = callerOf(request);
			const { name, scopes = [], expires_at: expiresAt } = request.body;
			const created = await clients.account.createApiKey({
				organizationId,
				callerApiKeyId,
				name,
				scopes,
				callerAddress: addressOf(request),
				...(expiresAt !== undefined && {
					expiresAt: timestampFromDate(new Date(expiresAt)),
				}),
				...request.idempotent,
			});
			markReplay(reply, created.replayed);
			const { secret } = created;
			const key = toRecord(apiKey, required(created.apiKey));
			return { success: true as const, apiKey: key, secret };
		},
	});
};
