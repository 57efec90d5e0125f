import { rescueExpired, type TakeOver } from "@airtower/platform/work/lease";
import { requeue } from "@airtower/platform/work/leased-queue";
import type { Context } from "../context.ts";
import { deliveryQueue } from "../store/delivery-queue.ts";

/** Frees the deliveries that were claimed under tokens of leases that are over. */
export const freeDeliveries: TakeOver = (sql, tokens) =>
	requeue(sql, deliveryQueue, tokens);

/** Frees deliveries whose sender died or was stopped; returns how many. */
export async function rescueDeliveries(ctx: Context): Promise<number> {
	const rescued = await rescueExpired(ctx.sql, ctx.lease, freeDeliveries);
	if (rescued === 0) return 0;
	ctx.telemetry.rescued.inc(rescued);
	ctx.log.warn({ rescued }, "leases had ended; deliveries are due again");
	return rescued;
}
