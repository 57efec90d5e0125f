import type { Tx } from "@airtower/platform/database/database";
import { idempotencyConflict } from "@airtower/platform/database/idempotency";
import {
	findIdempotencyRecords,
	type IdempotencyKey,
} from "@airtower/platform/database/idempotency-records";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { assertInTime } from "@airtower/platform/rpc/in-time";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type CreateEndpointRequest,
	type CreateEndpointResponse,
	CreateEndpointResponseSchema,
	type WebhooksService,
} from "@airtower/proto/webhooks/v1/webhooks";
import { create } from "@bufbuild/protobuf";
import { assertReceivingUrl } from "../assert-receiving-url.ts";
import type { Context } from "../context.ts";
import { toStandardSecret } from "../domain/callback.ts";
import { MAX_ENDPOINTS_PER_ORGANIZATION } from "../domain/endpoint-state.ts";
import { webhookLimitReached } from "../errors.ts";
import {
	countEndpoints,
	insertEndpoint,
	lockEndpoints,
} from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";
import { newSigningSecret } from "./new-signing-secret.ts";

/** A replay skips the look at the URL, whose address may have changed; a key forgotten in between is in use. */
export const createEndpoint: Handler<
	typeof WebhooksService.method.createEndpoint
> = async (ctx, message, context) => {
	assertOrganization(context, message.organizationId);
	// One spelling: the id is bound into the stored response and the lock.
	const organizationId = message.organizationId.toLowerCase();
	const request = { ...message, organizationId };
	const key = toIdempotencyKey(organizationId, request.idempotency);
	const known = await isKnown(ctx, key);
	if (!known) await assertReceivingUrl(ctx, request.url);
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: CreateEndpointResponseSchema,
		key,
		seal: { ring: ctx.ring, context: `create-endpoint ${organizationId}` },
		work: async (sql) => {
			if (known) throw idempotencyConflict("idempotency_key_in_use");
			const registered = await register(ctx, sql, request);
			assertInTime(context);
			return registered;
		},
	});
	const standardSecret = toStandardSecret(response.signingSecret);
	return { ...response, standardSecret, replayed };
};

async function register(
	ctx: Context,
	sql: Tx,
	{ organizationId, url, subscribedEvents }: CreateEndpointRequest,
): Promise<CreateEndpointResponse> {
	await lockEndpoints(sql, organizationId);
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
	ctx: Context,
	key: IdempotencyKey | undefined,
): Promise<boolean> {
	if (key === undefined) return false;
	return (await findIdempotencyRecords(ctx.sql, [key])).size > 0;
}
