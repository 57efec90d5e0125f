import type { Context } from "../context.ts";
import { countDispatch } from "../store/dispatch.ts";

/** Counting stops here: beyond, the figure only says "very many". */
const MAX_COUNTED = 100_000;

export async function measureDispatch(ctx: Context): Promise<number> {
	const depth = await countDispatch(ctx.sql, MAX_COUNTED);
	ctx.telemetry.dispatchDepth.set(depth);
	ctx.telemetry.inFlight.set(ctx.dispatcher.inFlight.size);
	return 0;
}
