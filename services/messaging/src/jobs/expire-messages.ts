import { transaction } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { DeliveryContext } from "../context.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { deleteExpiredDispatch } from "../store/dispatch/expired-dispatch.ts";
import { finishMessages } from "../store/message-updates.ts";

const BATCH_SIZE = 500;

/** Ends messages that wait past their validity, also while no operator takes any; returns how many. */
export async function expireMessages(ctx: DeliveryContext): Promise<number> {
	const validSince = ctx.clock().getTime() - ctx.limits.validityMs;
	const finished = await transaction(ctx.sql, async (sql) => {
		const ids = await deleteExpiredDispatch(
			sql,
			firstIdAt(new Date(validSince)),
			BATCH_SIZE,
		);
		if (ids.length === 0) return [];
		const finished = await finishMessages(
			sql,
			ids.map((id) => ({ id, status: "failed", reason: "expired" })),
		);
		await publishOutcomes(sql, finished);
		return finished;
	});
	ctx.onFinished(finished);
	return finished.length;
}
