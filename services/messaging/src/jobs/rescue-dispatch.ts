import {
	endLease as endOwnLease,
	rescueExpired,
	type TakeOver,
} from "@airtower/platform/work/lease";
import type { DeliveryContext } from "../context.ts";
import { holdsUnknown } from "../domain/attempt-outcome.ts";
import {
	type OrphanTimes,
	orphanDispatch,
} from "../store/dispatch/unknown-dispatch.ts";
import { recordAttempts } from "../store/message-updates.ts";
import {
	insertUnanswered,
	wakeReceipts,
} from "../store/receipts/unanswered.ts";

/** Takes over from processes whose lease ran out; returns how many messages. */
export async function rescueDispatch(ctx: DeliveryContext): Promise<number> {
	const orphans: string[] = [];
	const take = takeOver(ctx, orphans);
	const rescued = await rescueExpired(ctx.sql, ctx.lease, take);
	await wakeReceipts(ctx.sql, orphans);
	return rescued;
}

export async function endLease(ctx: DeliveryContext): Promise<void> {
	const orphans: string[] = [];
	await endOwnLease(ctx.sql, ctx.lease, takeOver(ctx, orphans));
	await wakeReceipts(ctx.sql, orphans);
}

/** What was being submitted is unknown: it waits for a receipt, then for the route's policy. */
function takeOver(
	{ limits, dispatchers, telemetry, log }: DeliveryContext,
	ids: string[],
): TakeOver {
	return async (sql, tokens) => {
		const orphans = await orphanDispatch(
			sql,
			tokens,
			orphanTimes(limits, dispatchers),
		);
		if (orphans.length === 0) return 0;
		ids.push(...orphans.map(({ id }) => id));
		await recordAttempts(
			sql,
			orphans.map((orphan) => ({ ...orphan, status: "unknown" })),
		);
		await insertUnanswered(sql, ids);
		telemetry.rescued.inc(orphans.length);
		log.warn(
			{ unknown: orphans.length },
			"took over from processes that are gone",
		);
		return orphans.length;
	};
}

/** By the policies of the routes that this process knows; of others UNKNOWN_POLICY decides. */
function orphanTimes(
	limits: DeliveryContext["limits"],
	dispatchers: DeliveryContext["dispatchers"],
): OrphanTimes {
	const holds = holdsUnknown(limits, "setting");
	return {
		waitMs: limits.unknownWaitMs,
		deadlineMs: limits.unknownDeadlineMs,
		holds,
		exceptRoutes: dispatchers
			.map(({ operator }) => operator)
			.filter((one) => holdsUnknown(limits, one.unknownPolicy) !== holds)
			.map(({ code }) => code),
	};
}
