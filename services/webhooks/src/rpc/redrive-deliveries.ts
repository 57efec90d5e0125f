import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { redriveDeliveries as redriveRows } from "../store/deliveries.ts";
import type { Handler } from "./handler.ts";

const BATCH = 2_000;
/** The caller repeats until none is left, ... */
const MAX_PER_CALL = 20_000;

export const redriveDeliveries: Handler<
	typeof WebhooksAdminService.method.redriveDeliveries
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	let redriven = 0;
	for (let last = BATCH; last === BATCH && redriven < MAX_PER_CALL; ) {
		const targets = await redriveRows(ctx.sql, organizationId, BATCH);
		last = targets.length;
		redriven += last;
		ctx.queues.announce(targets);
	}
	return { redriven };
};
