import type { Context } from "../context.ts";
import { findDueEndpoints } from "../store/delivery-queue.ts";

/** Looks for due work that nobody announced, such as retries; returns 0, for there is never more to find at once. */
export async function findDue(ctx: Context): Promise<number> {
	ctx.queues.announce(await findDueEndpoints(ctx.sql));
	return 0;
}
