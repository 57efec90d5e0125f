import type { Context } from "../context.ts";
import {
	FAILING_DAYS,
	FAILING_MIN_ATTEMPTS,
} from "../domain/endpoint-state.ts";
import { disableFailingEndpoints } from "../store/endpoint-failures.ts";

export async function disableEndpoints(ctx: Context): Promise<number> {
	const ids = await disableFailingEndpoints(
		ctx.sql,
		FAILING_DAYS,
		FAILING_MIN_ATTEMPTS,
	);
	for (const endpointId of ids) {
		ctx.telemetry.disabled.inc({ reason: "failing" });
		ctx.log.warn({ endpointId, reason: "failing" }, "endpoint disabled");
	}
	return ids.length;
}
