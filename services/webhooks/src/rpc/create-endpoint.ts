import type { Tx } from "@airtower/platform/database/database";
import {
	findIdempotencyRecords,
	type IdempotencyKey,
	idempotencyKeyInUse,
	runIdempotently,
} from "@airtower/platform/database/idempotency";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { openSecret, sealSecret } from "@airtower/platform/runtime/secret-box";
import {
	type CreateEndpointRequest,
	type CreateEndpointResponse,
	CreateEndpointResponseSchema,
	type WebhooksService,
} from "@airtower/proto/webhooks/v1/webhooks";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { assertReceivingUrl } from "../assert-receiving-url.ts";
import type { WebhooksContext } from "../context.ts";
import { MAX_ENDPOINTS_PER_ORGANIZATION } from "../domain/endpoint-state.ts";
import { newSigningSecret } from "../domain/signature.ts";
import { webhookLimitReached } from "../errors.ts";
import {
	countEndpoints,
	insertEndpoint,
	lockEndpointsOf,
} from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";

/**
 * Registers an endpoint. The answer is stored for its idempotency key under encryption, because it
 * holds the signing secret; a replay skips the look at the URL, whose address may have changed. A key that
 * is forgotten in between is refused as in use: nothing is registered whose URL was not looked at.
 */
export function createEndpoint(
	ctx: WebhooksContext,
): ServiceImpl<typeof WebhooksService>["createEndpoint"] {
	return async (message, context) => {
		assertOrganization(context, message.organizationId);
		// One organization whatever its spelling: its id is bound into the stored answer and the lock.
		const organizationId = message.organizationId.toLowerCase();
		const request = { ...message, organizationId };
		const key = idempotencyKeyOf(request);
		const known = await isKnown(ctx, key);
		if (!known) await assertReceivingUrl(ctx, request.url);
		const { response, replayed } = await runIdempotently(
			ctx.sql,
			key,
			async (sql) => {
				if (known) throw idempotencyKeyInUse();
				return seal(ctx, organizationId, await register(ctx, sql, request));
			},
		);
		return { ...open(ctx, organizationId, response), replayed };
	};
}

async function register(
	ctx: WebhooksContext,
	sql: Tx,
	{ organizationId, url, subscribedEvents }: CreateEndpointRequest,
): Promise<CreateEndpointResponse> {
	await lockEndpointsOf(sql, organizationId);
	const count = await countEndpoints(sql, organizationId);
	if (count >= MAX_ENDPOINTS_PER_ORGANIZATION) throw webhookLimitReached();
	const id = uuidv7();
	const signingSecret = newSigningSecret();
	const row = await insertEndpoint(sql, {
		id,
		organizationId,
		url,
		subscribedEvents,
		secret: sealSecret(ctx.ring, signingSecret, id),
	});
	return create(CreateEndpointResponseSchema, {
		endpoint: endpointToProto(row),
		signingSecret,
	});
}

async function isKnown(
	ctx: WebhooksContext,
	key: IdempotencyKey | undefined,
): Promise<boolean> {
	if (key === undefined) return false;
	return (await findIdempotencyRecords(ctx.sql, [key])).size > 0;
}

function idempotencyKeyOf({
	organizationId,
	idempotency,
}: CreateEndpointRequest): IdempotencyKey | undefined {
	if (idempotency === undefined) return undefined;
	const { key, fingerprint } = idempotency;
	return { organizationId, key, fingerprint };
}

function seal(
	ctx: WebhooksContext,
	organizationId: string,
	response: CreateEndpointResponse,
): Buffer {
	const bytes = toBinary(CreateEndpointResponseSchema, response);
	return sealSecret(ctx.ring, bytes, answerContext(organizationId));
}

function open(
	ctx: WebhooksContext,
	organizationId: string,
	box: Uint8Array,
): CreateEndpointResponse {
	const bytes = openSecret(ctx.ring, box, answerContext(organizationId));
	return fromBinary(CreateEndpointResponseSchema, bytes);
}

function answerContext(organizationId: string): string {
	return `create-endpoint ${organizationId}`;
}
