import { callerOf } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { listDeliveriesOfMessage } from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

/** Shows none of another organization's to an admin who is bound to one. */
export const listDeliveries: Handler<
	typeof WebhooksAdminService.method.listDeliveries
> = async (ctx, { messageId }, context) => {
	const { organization } = callerOf(context);
	const rows = await listDeliveriesOfMessage(ctx.sql, organization, messageId);
	return { deliveries: rows.map(deliveryToProto) };
};
