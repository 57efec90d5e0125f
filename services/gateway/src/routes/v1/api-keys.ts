import { isUuid } from "@airtower/platform/runtime/ids";
import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { ApiKey } from "@airtower/proto/accounts/v1/account";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import {
	type ApiKeyRecord,
	apiKey,
	apiKeyParams,
	apiKeyReply,
	apiKeysReply,
	createApiKeyBody,
} from "../../schemas/api-keys.ts";
import { noQuery, successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { optionalTime, requiredTime } from "../times.ts";

const RESOURCE = "api-keys";

/** GET and POST /api-keys, DELETE /api-keys/{apiKeyId}. */
export function apiKeyRoutes(ctx: Context): FastifyPluginAsyncZod {
	const client = ctx.clients.account;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/api-keys",
			config: {
				access: scopeAccess("api_keys:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listApiKeys",
				tags: ["API keys"],
				summary: "List API keys",
				description: "Newest first, masked. Revoked keys are not listed.",
				querystring: pageQuery,
				response: { 200: apiKeysReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const scope = { resource: RESOURCE, organizationId };
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { apiKeys, next } = await withRequestId(request.id, () =>
					client.listApiKeys({ organizationId, page }),
				);
				return {
					success: true as const,
					apiKeys: apiKeys.map(apiKeyRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});

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
					"The key itself is in this answer only, and in those to repetitions with the same Idempotency-Key. An Idempotency-Key belongs to the calling API key: another one that repeats the request gets 409 `idempotency_key_reused`.",
				querystring: noQuery,
				body: createApiKeyBody,
				response: { 200: apiKeyReply },
			},
			handler: async (request, reply) => {
				const { organizationId, apiKeyId } = callerOf(request);
				const { name, scopes = [], expires_at } = request.body;
				const answer = await withRequestId(request.id, () =>
					client.createApiKey({
						organizationId,
						callerApiKeyId: apiKeyId,
						name,
						scopes,
						...(expires_at !== undefined && {
							expiresAt: timestampFromDate(new Date(expires_at)),
						}),
						...idempotencyField(request),
					}),
				);
				markReplay(reply, answer.replayed);
				return {
					success: true as const,
					apiKey: apiKeyRecord(answer.apiKey),
					secret: answer.secret,
				};
			},
		});

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
				querystring: noQuery,
				response: { 200: successBody },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { apiKeyId } = request.params;
				if (!isUuid(apiKeyId))
					throw new RefusalError({ code: "unknown_api_key" });
				await withRequestId(request.id, () =>
					client.deleteApiKey({ organizationId, apiKeyId }),
				);
				return { success: true as const };
			},
		});
	};
}

function apiKeyRecord(key: ApiKey | undefined): ApiKeyRecord {
	if (key === undefined) throw new Error("the answer has no API key");
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
