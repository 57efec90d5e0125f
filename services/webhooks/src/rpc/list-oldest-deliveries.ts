import { callerOf } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { listOldestDeliveries as listRows } from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

const MOST = 20;

/** Shows none of another organization's to an admin who is bound to one. */
export const listOldestDeliveries: Handler<
	typeof WebhooksAdminService.method.listOldestDeliveries
> = async (ctx, _request, context) => {
	const rows = await listRows(ctx.sql, callerOf(context).organization, MOST);
	const deliveries = rows.map((row) => ({
		organizationId: row.organizationId,
		url: row.url ?? "",
		delivery: deliveryToProto(row),
	}));
	return { deliveries };
};
