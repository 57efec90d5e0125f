import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { listDeliveriesOfMessage } from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

export const listMessageDeliveries: Handler<
	typeof WebhooksService.method.listMessageDeliveries
> = async ({ sql }, { organizationId, messageId }, context) => {
	const owner = organizationId.toLowerCase();
	assertOrganization(context, owner);
	const rows = await listDeliveriesOfMessage(sql, owner, messageId);
	return { deliveries: rows.map(deliveryToProto) };
};
