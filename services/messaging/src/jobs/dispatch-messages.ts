import { fault } from "@airtower/platform/runtime/fault";
import { releaseUntracked } from "@airtower/platform/work/release-untracked";
import type { DeliveryContext } from "../context.ts";
import { attemptMessage } from "../dispatching/attempt.ts";
import type { Dispatcher } from "../dispatching/dispatcher.ts";
import {
	type ClaimedMessage,
	claimMessages,
	dispatchQueue,
} from "../store/dispatch/dispatch-claims.ts";

/**
 * Claims as many messages as the operator takes now and begins to submit them; returns how many. From the claim on a
 * crash leaves them unknown.
 */
export async function dispatchMessages(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<number> {
	await releaseLostClaim(ctx, dispatcher);
	const limit = dispatcher.capacity();
	if (limit === 0) return 0;
	const askedAt = performance.now();
	const claimed = await claim(ctx, dispatcher, limit);
	if (claimed.length > 0) fault("messaging.after_claim");
	for (const message of claimed) {
		const validUntil = askedAt + message.validityMs;
		const attempt = attemptMessage(ctx, dispatcher, message, validUntil);
		dispatcher.track(message, attempt);
	}
	return claimed.length;
}

function claim(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	limit: number,
): Promise<ClaimedMessage[]> {
	const { code: route } = dispatcher.operator;
	return dispatcher.rounds.claim(limit, async (shares) => {
		dispatcher.hasLostClaim = true;
		const token = ctx.lease.token();
		const claimed = await claimMessages(ctx.sql, {
			...shares,
			route,
			token,
			limit,
		});
		dispatcher.hasLostClaim = false;
		return claimed;
	});
}

/** Puts back what a claim took whose response never came; nothing was sent for it. */
export async function releaseLostClaim(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<void> {
	if (!dispatcher.hasLostClaim) return;
	await releaseUntracked(ctx.sql, dispatchQueue, {
		token: ctx.lease.token(),
		known: dispatcher.owned(),
		within: ctx.sql`route = ${dispatcher.operator.code}`,
		set: ctx.sql`, unsent = unsent + 1`,
	});
	dispatcher.hasLostClaim = false;
}
