import { createHash } from "node:crypto";
import { recordAct } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import type { IdempotencyKey } from "@airtower/platform/database/idempotency-records";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { assertInTime } from "@airtower/platform/rpc/in-time";
import { invalid } from "@airtower/platform/runtime/domain-error";
import {
	type AccountService,
	type CreateApiKeyRequest,
	type CreateApiKeyResponse,
	CreateApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/account";
import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
	type ApiKeyRequest,
	apiKeyFacts,
	readApiKeyRequest,
	storeApiKey,
	toApiKeyRefusal,
} from "../api-key-request.ts";
import type { Context } from "../context.ts";
import {
	endWithin,
	type KeyBounds,
	scopesWithin,
} from "../domain/key-bounds.ts";
import { scopeNotAllowed } from "../errors.ts";
import { lockUsableKey } from "../store/usable-keys.ts";
import { apiKeyToProto } from "./api-key-to-proto.ts";
import type { Handler } from "./handler.ts";

/** The stored response contains the secret: it is sealed, and replayed to the same calling key only. */
export const createApiKey: Handler<
	typeof AccountService.method.createApiKey
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	try {
		const { response, replayed } = await respondOnce(ctx.sql, {
			schema: CreateApiKeyResponseSchema,
			key: idempotencyKeyFrom(organizationId, request),
			seal: {
				ring: ctx.encryptionKeys,
				context: `create-api-key ${organizationId}`,
			},
			work: async (sql) => {
				const made = await store(ctx, sql, request, context);
				assertInTime(context);
				return made;
			},
		});
		return { ...response, replayed };
	} catch (error) {
		throw toApiKeyRefusal(error);
	}
};

async function store(
	ctx: Context,
	sql: Tx,
	request: CreateApiKeyRequest,
	context: HandlerContext,
): Promise<CreateApiKeyResponse> {
	const now = ctx.clock();
	const wanted = readApiKeyRequest(request, now);
	const callerId = request.callerApiKeyId.toLowerCase();
	const caller = await lockUsableKey(sql, wanted.organizationId, callerId);
	const bounded = { ...wanted, ...keepBounds(wanted, caller) };
	const { row, secret } = await storeApiKey(ctx, sql, bounded);
	await recordAct(sql, context, {
		organizationId: wanted.organizationId,
		subject: row.id,
		after: apiKeyFacts(row),
		by: { apiKeyId: callerId, address: request.callerAddress },
	});
	return create(CreateApiKeyResponseSchema, {
		apiKey: apiKeyToProto(row, now),
		secret,
	});
}

function keepBounds(wanted: ApiKeyRequest, caller: KeyBounds): KeyBounds {
	const scopes = scopesWithin(caller, wanted.scopes);
	if (scopes === undefined)
		throw scopeNotAllowed(
			"A new key may not have scopes that the calling key does not.",
			"scopes",
		);
	const expiresAt = endWithin(caller, wanted.expiresAt);
	if (expiresAt === undefined)
		throw invalid(
			"invalid_expiry",
			"expires_at",
			"Field expires_at: must not be after the end of the calling key.",
		);
	return { scopes, expiresAt };
}

function idempotencyKeyFrom(
	organizationId: string,
	{ idempotency, callerApiKeyId }: CreateApiKeyRequest,
): IdempotencyKey | undefined {
	const key = toIdempotencyKey(organizationId, idempotency);
	if (key === undefined) return undefined;
	return { ...key, fingerprint: ofCaller(key.fingerprint, callerApiKeyId) };
}

/** The calling key is part of the request, whose scopes may be its own: no other may get a wider key's secret. */
function ofCaller(fingerprint: Uint8Array, callerApiKeyId: string): Buffer {
	return createHash("sha256")
		.update(fingerprint)
		.update(callerApiKeyId.toLowerCase())
		.digest();
}
