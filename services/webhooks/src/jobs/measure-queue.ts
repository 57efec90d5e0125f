import type { Context } from "../context.ts";
import { measureDeliveries } from "../store/measure-deliveries.ts";

/** Counting stops here: beyond, the figure only says "very many". */
const MAX_COUNTED = 100_000;

export async function measureQueue({
	sql,
	telemetry,
}: Context): Promise<number> {
	const { count, ageS, untriedS } = await measureDeliveries(sql, MAX_COUNTED);
	telemetry.undelivered.set(count);
	telemetry.undeliveredAge.set(ageS);
	telemetry.untriedAge.set(untriedS);
	return 0;
}
