import type { Context } from "../context.ts";
import { markAbandonedDead } from "../store/deliveries.ts";

const BATCH = 2_000;

export async function endAbandoned(ctx: Context): Promise<number> {
	const ended = await markAbandonedDead(ctx.sql, BATCH);
	if (ended > 0) ctx.telemetry.dead.inc(ended);
	return ended;
}
