import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { countDeliveries as countRows } from "../store/deliveries.ts";
import type { Handler } from "./handler.ts";

export const countDeliveries: Handler<
	typeof WebhooksAdminService.method.countDeliveries
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	const counts: Record<string, bigint> = {};
	const found = await countRows(ctx.sql, organizationId);
	for (const [status, count] of Object.entries(found))
		if (count > 0) counts[status] = BigInt(count);
	return { counts };
};
