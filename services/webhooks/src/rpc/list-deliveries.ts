import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { listDeliveriesOfMessage } from "../store/deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";

/** Lists the deliveries of one message's event. */
export function listDeliveries(
	ctx: Context,
): ServiceImpl<typeof WebhooksAdminService>["listDeliveries"] {
	return async ({ messageId }) => {
		const rows = await listDeliveriesOfMessage(ctx.sql, messageId);
		return { deliveries: rows.map(deliveryToProto) };
	};
}
