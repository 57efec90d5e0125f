import type { Context } from "../context.ts";
import {
	countDispatch,
	findUnknownAge,
	findUnsentAge,
} from "../store/measured-dispatch.ts";

/** Counting stops here: beyond, the figure only says "very many". */
const MAX_COUNTED = 100_000;

export async function measureDispatch(ctx: Context): Promise<number> {
	const { sql, telemetry, limits, dispatcher } = ctx;
	telemetry.dispatchDepth.set(await countDispatch(sql, MAX_COUNTED));
	telemetry.unsentAge.set(await findUnsentAge(sql, MAX_COUNTED));
	telemetry.unknownAge.set(await findUnknownAge(sql, limits.unknownWaitMs));
	telemetry.inFlight.set(dispatcher.underWay());
	return 0;
}
