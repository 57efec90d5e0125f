import type { CommonContext } from "../common-context.ts";
import { countDispatch } from "../store/dispatch-counts.ts";

/** Counting stops here: beyond, the figure only says "very many". */
const MAX_COUNTED = 100_000;

export async function measureDispatch(ctx: CommonContext): Promise<number> {
	ctx.telemetry.dispatchDepth.set(await countDispatch(ctx.sql, MAX_COUNTED));
	return 0;
}
