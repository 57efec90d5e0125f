import type { Context } from "../context.ts";
import { markAbandonedDead } from "../store/deliveries.ts";

const BATCH = 2_000;

/** Gives up the deliveries that wait for a disabled or deleted endpoint; returns how many. */
export async function endAbandoned(ctx: Context): Promise<number> {
	const ended = await markAbandonedDead(ctx.sql, BATCH);
	if (ended > 0) ctx.telemetry.dead.inc(ended);
	return ended;
}
