import type { CommonContext } from "../context.ts";
import {
	countDispatch,
	findUnsentAge,
} from "../store/dispatch/dispatch-counts.ts";
import { measureUnknown } from "../store/dispatch/unknown-dispatch.ts";

/** Counting stops here: beyond, the figure only says "very many". */
const MAX_COUNTED = 100_000;

export async function measureDispatch(ctx: CommonContext): Promise<number> {
	const { sql, telemetry } = ctx;
	telemetry.dispatchDepth.set(await countDispatch(sql, MAX_COUNTED));
	telemetry.unsentAge.set(await findUnsentAge(sql, MAX_COUNTED));
	const unknown = await measureUnknown(sql, MAX_COUNTED);
	telemetry.unknown.set(unknown.count);
	telemetry.unknownAge.set(unknown.ageS);
	return 0;
}
