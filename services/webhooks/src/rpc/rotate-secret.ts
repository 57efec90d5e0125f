import type { Tx } from "@airtower/platform/database/database";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { assertInTime } from "@airtower/platform/rpc/in-time";
import { isUuid } from "@airtower/platform/runtime/ids";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type RotateSecretResponse,
	RotateSecretResponseSchema,
	type WebhooksService,
} from "@airtower/proto/webhooks/v1/webhooks";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { toStandardSecret } from "../domain/callback.ts";
import {
	MAX_RETIRED_SECRETS,
	RETIRED_SECRET_HOURS,
} from "../domain/endpoint-state.ts";
import {
	unknownWebhookEndpoint,
	webhookSecretLimitReached,
} from "../errors.ts";
import {
	countRetiredSecrets,
	insertRetiredSecret,
	replaceSecret,
} from "../store/endpoint-secrets.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";
import { newSigningSecret } from "./new-signing-secret.ts";

export const rotateSecret: Handler<
	typeof WebhooksService.method.rotateSecret
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const { endpointId, idempotency } = request;
	if (!isUuid(endpointId)) throw unknownWebhookEndpoint();
	// One spelling: the id is bound into the stored response.
	const organizationId = request.organizationId.toLowerCase();
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: RotateSecretResponseSchema,
		key: toIdempotencyKey(organizationId, idempotency),
		seal: { ring: ctx.ring, context: `rotate-secret ${organizationId}` },
		work: async (sql) => {
			const id = endpointId.toLowerCase();
			const rotated = await rotate(ctx, sql, organizationId, id);
			assertInTime(context);
			return rotated;
		},
	});
	const standardSecret = toStandardSecret(response.signingSecret);
	return { ...response, standardSecret, replayed };
};

async function rotate(
	{ ring }: Context,
	sql: Tx,
	organizationId: string,
	endpointId: string,
): Promise<RotateSecretResponse> {
	const signingSecret = newSigningSecret();
	const ciphertext = sealSecret(ring, signingSecret, endpointId);
	const row = await replaceSecret(sql, organizationId, endpointId, ciphertext);
	if (row === undefined) throw unknownWebhookEndpoint();
	if ((await countRetiredSecrets(sql, endpointId)) >= MAX_RETIRED_SECRETS)
		throw webhookSecretLimitReached();
	const signsUntil = await insertRetiredSecret(
		sql,
		endpointId,
		row.retired,
		RETIRED_SECRET_HOURS,
	);
	return create(RotateSecretResponseSchema, {
		endpoint: endpointToProto(row),
		signingSecret,
		previousSignsUntil: timestampFromDate(signsUntil),
	});
}
