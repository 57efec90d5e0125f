import { isUuid } from "@airtower/platform/runtime/ids";
import type { ApiKey } from "@airtower/proto/accounts/v1/account";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import {
	apiKey,
	apiKeyParams,
	createApiKeyBody,
	createApiKeyReply,
} from "../../schemas/api-keys.ts";
import { successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import { addList } from "../add-list.ts";
import { optionalTime, required, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET and POST /api-keys, DELETE /api-keys/{apiKeyId}. */
export function apiKeyRoutes(app: App, ctx: Context): void {
	listApiKeys(app, ctx);
	createApiKey(app, ctx);
	deleteApiKey(app, ctx);
}

function listApiKeys(app: App, ctx: Context): void {
	addList(app, ctx, {
		url: "/api-keys",
		scope: "api_keys:read",
		operationId: "listApiKeys",
		tag: "API keys",
		summary: "List API keys",
		description: "Newest first, masked. Revoked keys are not listed.",
		query: pageQuery,
		rows: { apiKeys: apiKey.array() },
		find: async (page) => {
			const { apiKeys, next } = await ctx.clients.account.listApiKeys(page);
			return { apiKeys: apiKeys.map(toApiKey), next };
		},
	});
}

function createApiKey(app: App, { clients }: Context): void {
	app.route({
		method: "POST",
		url: "/api-keys",
		config: {
			access: scopeAccess("api_keys:write"),
			errors: ["scope_not_allowed", "api_key_exists"],
		},
		schema: {
			operationId: "createApiKey",
			tags: ["API keys"],
			summary: "Create an API key",
			description:
				"The key itself is in this response only, and in those to repetitions with the same Idempotency-Key. An Idempotency-Key belongs to the calling API key: another one that repeats the request gets 409 `idempotency_key_reused`.",
			body: createApiKeyBody,
			response: { 200: createApiKeyReply },
		},
		handler: async (request, reply) => {
			const { organizationId, apiKeyId } = callerOf(request);
			const { name, scopes = [], expires_at } = request.body;
			const { apiKey, secret, replayed } = await clients.account.createApiKey({
				organizationId,
				callerApiKeyId: apiKeyId,
				name,
				scopes,
				...(expires_at !== undefined && {
					expiresAt: timestampFromDate(new Date(expires_at)),
				}),
				...request.idempotent,
			});
			markReplay(reply, replayed);
			return {
				success: true as const,
				apiKey: toApiKey(required(apiKey)),
				secret,
			};
		},
	});
}

function deleteApiKey(app: App, { clients }: Context): void {
	app.route({
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
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { apiKeyId } = request.params;
			if (!isUuid(apiKeyId))
				throw new RefusalError({ code: "unknown_api_key" });
			await clients.account.deleteApiKey({ organizationId, apiKeyId });
			return { success: true as const };
		},
	});
}

function toApiKey(key: ApiKey) {
	return {
		id: key.id,
		name: key.name,
		prefix: key.prefix,
		scopes: key.scopes,
		status: apiKey.shape.status.parse(key.status),
		created_at: requiredTime(key.createdAt),
		expires_at: optionalTime(key.expiresAt),
		last_used_at: optionalTime(key.lastUsedAt),
	};
}
