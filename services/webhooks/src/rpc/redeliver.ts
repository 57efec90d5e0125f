import type { Tx } from "@airtower/platform/database/database";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import {
	type Delivery,
	DeliverySchema,
} from "@airtower/proto/webhooks/v1/delivery";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { unknownWebhookDelivery, webhookEndpointDisabled } from "../errors.ts";
import {
	type DeliveryKey,
	lockDelivery,
	queueAgain,
} from "../store/deliveries.ts";
import { findEndpointStatus } from "../store/endpoints.ts";
import { findDelivery } from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

export const redeliver: Handler<
	typeof WebhooksService.method.redeliver
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const eventId = request.eventId.toLowerCase();
	const endpointId = request.endpointId.toLowerCase();
	if (!isUuid(eventId) || !isUuid(endpointId)) throw unknownWebhookDelivery();
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: DeliverySchema,
		key: toIdempotencyKey(organizationId, request.idempotency),
		work: (sql) => queue(sql, organizationId, { eventId, endpointId }),
	});
	if (!replayed) ctx.queues.announce([{ endpointId, organizationId }]);
	return { delivery: response, replayed };
};

async function queue(
	sql: Tx,
	organizationId: string,
	delivery: DeliveryKey,
): Promise<Delivery> {
	const { endpointId } = delivery;
	if (!(await lockDelivery(sql, organizationId, delivery)))
		throw unknownWebhookDelivery();
	const status = await findEndpointStatus(sql, organizationId, endpointId);
	if (status === undefined) throw unknownWebhookDelivery();
	if (status !== "active") throw webhookEndpointDisabled();
	await queueAgain(sql, delivery);
	const queued = await findDelivery(sql, organizationId, delivery);
	if (queued === undefined) throw unknownWebhookDelivery();
	return deliveryToProto(queued);
}
