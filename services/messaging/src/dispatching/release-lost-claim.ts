import { releaseUnknown } from "@airtower/platform/work/release-unknown";
import type { DeliveryContext } from "../delivery-context.ts";
import { dispatchQueue } from "../store/dispatch/dispatch-claims.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** Puts back what a claim took whose response never came; nothing was sent for it. */
export async function releaseLostClaim(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<void> {
	if (!dispatcher.hasLostClaim) return;
	await releaseUnknown(ctx.sql, dispatchQueue, {
		token: ctx.lease.token(),
		known: dispatcher.held(),
		within: ctx.sql`route = ${dispatcher.operator.code}`,
		set: ctx.sql`, unsent = unsent + 1`,
	});
	dispatcher.hasLostClaim = false;
}
