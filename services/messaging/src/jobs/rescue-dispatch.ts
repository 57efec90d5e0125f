import {
	endLease as endOwnLease,
	rescueExpired,
	type TakeOver,
} from "@airtower/platform/work/lease";
import type { DeliveryContext } from "../delivery-context.ts";
import { orphanDispatch } from "../store/dispatch.ts";
import { recordAttempts } from "../store/recorded-attempts.ts";

/** Takes over from processes whose lease ran out; returns how many messages. */
export async function rescueDispatch(ctx: DeliveryContext): Promise<number> {
	return rescueExpired(ctx.sql, ctx.lease, takeOver(ctx));
}

export async function endLease(ctx: DeliveryContext): Promise<void> {
	await endOwnLease(ctx.sql, ctx.lease, takeOver(ctx));
}

/** What was being submitted is unknown: it waits for a receipt, then for the route's policy. */
function takeOver({ limits, telemetry, log }: DeliveryContext): TakeOver {
	const { unknownPolicy, unknownWaitMs } = limits;
	const waitMs = unknownPolicy === "resend_once" ? unknownWaitMs : null;
	return async (sql, tokens) => {
		const orphans = await orphanDispatch(sql, tokens, waitMs);
		await recordAttempts(
			sql,
			orphans.map((orphan) => ({ ...orphan, status: "unknown" })),
		);
		if (orphans.length === 0) return 0;
		telemetry.rescued.inc(orphans.length);
		log.warn(
			{ unknown: orphans.length },
			"took over from processes that are gone",
		);
		return orphans.length;
	};
}
