import type { WebhooksContext } from "../context.ts";
import { markAbandonedDead } from "../store/deliveries.ts";

const BATCH = 2_000;

/** Ends the deliveries that still wait for a disabled or deleted endpoint; answers how many. */
export async function endAbandoned(ctx: WebhooksContext): Promise<number> {
	const ended = await markAbandonedDead(ctx.sql, BATCH);
	if (ended > 0) ctx.telemetry.dead.inc(ended);
	return ended;
}
