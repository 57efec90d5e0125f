import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import type { ServiceImpl } from "@connectrpc/connect";
import type { WebhooksContext } from "../context.ts";
import { publicState } from "../domain/delivery-state.ts";
import { countDeliveries as countRows } from "../store/deliveries.ts";

/** Counts an organization's deliveries by status; a status without deliveries is absent. */
export function countDeliveries(
	ctx: WebhooksContext,
): ServiceImpl<typeof WebhooksAdminService>["countDeliveries"] {
	return async ({ organizationId }, context) => {
		assertOrganization(context, organizationId);
		const counts: Record<string, bigint> = {};
		for (const row of await countRows(ctx.sql, organizationId)) {
			const word = publicState(row.state);
			counts[word] = (counts[word] ?? 0n) + BigInt(row.count);
		}
		return { counts };
	};
}
