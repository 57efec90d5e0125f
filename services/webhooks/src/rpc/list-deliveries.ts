import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { listDeliveriesOfMessage } from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

export const listDeliveries: Handler<
	typeof WebhooksAdminService.method.listDeliveries
> = async (ctx, { messageId }) => {
	const rows = await listDeliveriesOfMessage(ctx.sql, "*", messageId);
	return { deliveries: rows.map(deliveryToProto) };
};
