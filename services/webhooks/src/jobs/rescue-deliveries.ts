import { rescueExpired, type TakeOver } from "@airtower/platform/work/lease";
import { requeue } from "@airtower/platform/work/put-back";
import type { Context } from "../context.ts";
import { deliveryQueue } from "../store/delivery-queue.ts";

export const freeDeliveries: TakeOver = (sql, tokens) =>
	requeue(sql, deliveryQueue, tokens);

export async function rescueDeliveries(ctx: Context): Promise<number> {
	const rescued = await rescueExpired(ctx.sql, ctx.lease, freeDeliveries);
	if (rescued === 0) return 0;
	ctx.telemetry.rescued.inc(rescued);
	ctx.log.warn({ rescued }, "took over from processes that are gone");
	return rescued;
}
