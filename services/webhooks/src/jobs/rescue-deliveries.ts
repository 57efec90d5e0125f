import type { WebhooksContext } from "../context.ts";
import { releaseExpiredLeases } from "../store/deliveries.ts";

const BATCH = 1_000;

/** Makes deliveries due again whose sender died or was stopped; answers how many. */
export async function rescueDeliveries(ctx: WebhooksContext): Promise<number> {
	const rescued = await releaseExpiredLeases(ctx.sql, BATCH);
	if (rescued === 0) return 0;
	ctx.telemetry.rescued.inc(rescued);
	ctx.log.warn({ rescued }, "leases had ended; deliveries are due again");
	return rescued;
}
