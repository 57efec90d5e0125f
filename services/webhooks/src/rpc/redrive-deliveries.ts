import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { redriveDeliveries as redriveRows } from "../store/deliveries.ts";
import type { Handler } from "./handler.ts";

const BATCH = 2_000;
/** One call's limit; the caller repeats until none is left. */
const MAX_PER_CALL = 20_000;

export const redriveDeliveries: Handler<
	typeof WebhooksAdminService.method.redriveDeliveries
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	recordNothing(context);
	let redriven = 0;
	for (let last = BATCH; last === BATCH && redriven < MAX_PER_CALL; ) {
		const targets = await transaction(ctx.sql, async (sql) => {
			const targets = await redriveRows(sql, organizationId, BATCH);
			const after = { redriven: targets.length };
			if (targets.length > 0)
				await recordAct(sql, context, { organizationId, after });
			return targets;
		});
		last = targets.length;
		redriven += last;
		ctx.queues.announce(targets);
	}
	return { redriven };
};
