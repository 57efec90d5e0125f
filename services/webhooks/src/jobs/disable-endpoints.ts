import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import {
	FAILING_DAYS,
	FAILING_MIN_ATTEMPTS,
} from "../domain/endpoint-state.ts";
import { disableFailingEndpoints } from "../store/active-endpoints.ts";
import { announceDisabled } from "../store/events.ts";

export async function disableEndpoints(ctx: Context): Promise<number> {
	const { disabled, targets } = await transaction(ctx.sql, async (sql) => {
		const disabled = await disableFailingEndpoints(
			sql,
			FAILING_DAYS,
			FAILING_MIN_ATTEMPTS,
		);
		return { disabled, targets: await announceDisabled(sql, disabled) };
	});
	ctx.queues.announce(targets);
	for (const { id: endpointId, reason } of disabled) {
		ctx.telemetry.disabled.inc({ reason });
		ctx.log.warn({ endpointId, reason }, "endpoint disabled");
	}
	return disabled.length;
}
