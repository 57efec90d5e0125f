import type { Context } from "../context.ts";
import { findDueEndpoints } from "../store/delivery-queue.ts";

/** Most endpoints that one look finds. */
const MAX_ENDPOINTS = 100_000;

/** Looks for due work that nobody announced, such as retries; returns 0, for there is never more to find at once. */
export async function findDue(ctx: Context): Promise<number> {
	ctx.queues.announce(await findDueEndpoints(ctx.sql, MAX_ENDPOINTS));
	return 0;
}
