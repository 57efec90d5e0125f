import type { Context } from "../context.ts";
import { findDueEndpoints } from "../store/delivery-queue.ts";

const MAX_ENDPOINTS = 100_000;

/** Announces due work that nobody announced, such as retries; there is never more to find at once. */
export async function findDue(ctx: Context): Promise<number> {
	ctx.queues.announce(await findDueEndpoints(ctx.sql, MAX_ENDPOINTS));
	return 0;
}
