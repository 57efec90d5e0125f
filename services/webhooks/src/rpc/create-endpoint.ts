import type { Tx } from "@airtower/platform/database/database";
import {
	findIdempotencyRecords,
	type IdempotencyKey,
	idempotencyConflict,
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
import { assertReceivingUrl } from "../assert-receiving-url.ts";
import type { Context } from "../context.ts";
import { MAX_ENDPOINTS_PER_ORGANIZATION } from "../domain/endpoint-state.ts";
import { newSigningSecret } from "../domain/signature.ts";
import { webhookLimitReached } from "../errors.ts";
import {
	countEndpoints,
	insertEndpoint,
	lockEndpoints,
} from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";

/** A replay skips the look at the URL, whose address may have changed; a key forgotten in between is in use. */
export const createEndpoint: Handler<
	typeof WebhooksService.method.createEndpoint
> = async (ctx, message, context) => {
	assertOrganization(context, message.organizationId);
	// One spelling: the id is bound into the stored response and the lock.
	const organizationId = message.organizationId.toLowerCase();
	const request = { ...message, organizationId };
	const key = toIdempotencyKey(request);
	const known = await isKnown(ctx, key);
	if (!known) await assertReceivingUrl(ctx, request.url);
	const { response, replayed } = await runIdempotently(
		ctx.sql,
		key,
		async (sql) => {
			if (known) throw idempotencyConflict("idempotency_key_in_use");
			return seal(ctx, organizationId, await register(ctx, sql, request));
		},
	);
	return { ...open(ctx, organizationId, response), replayed };
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

function toIdempotencyKey({
	organizationId,
	idempotency,
}: CreateEndpointRequest): IdempotencyKey | undefined {
	if (idempotency === undefined) return undefined;
	const { key, fingerprint } = idempotency;
	return { organizationId, key, fingerprint };
}

function seal(
	ctx: Context,
	organizationId: string,
	response: CreateEndpointResponse,
): Buffer {
	const bytes = toBinary(CreateEndpointResponseSchema, response);
	return sealSecret(ctx.ring, bytes, responseContext(organizationId));
}

function open(
	ctx: Context,
	organizationId: string,
	box: Uint8Array,
): CreateEndpointResponse {
	const bytes = openSecret(ctx.ring, box, responseContext(organizationId));
	return fromBinary(CreateEndpointResponseSchema, bytes);
}

function responseContext(organizationId: string): string {
	return `create-endpoint ${organizationId}`;
}
