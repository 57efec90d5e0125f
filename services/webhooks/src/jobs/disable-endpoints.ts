import type { WebhooksContext } from "../context.ts";
import {
	FAILING_DAYS,
	FAILING_MIN_ATTEMPTS,
} from "../domain/endpoint-state.ts";
import { disableFailingEndpoints } from "../store/endpoints.ts";

/** Disables endpoints that have done nothing but fail for days; answers how many. */
export async function disableEndpoints(ctx: WebhooksContext): Promise<number> {
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
