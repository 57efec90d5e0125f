import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import { findOtherRoute } from "../domain/routing/other-route.ts";
import {
	rematchReceipts,
	reportRematched,
} from "../receipts/rematch-receipts.ts";
import { type Move, moveMessages } from "../store/dispatch/dispatch-settles.ts";
import {
	allowRepeats,
	findDueUnknown,
} from "../store/dispatch/unknown-dispatch.ts";
import { findWithoutParts } from "../store/dispatch/waiting-dispatch.ts";
import { claimReceiptsOf } from "../store/receipts/receipts.ts";

const BATCH_SIZE = 100;
/** Of the numbers of a batch. */
const MOST_RECEIPTS = 1_000;

/**
 * Looks once more for receipts of unknown messages that are due to go again, however long those were to wait, and then
 * lets go what is still unknown; returns how many it looked at.
 */
export async function repeatUnknown(ctx: DeliveryContext): Promise<number> {
	const routes = ctx.dispatchers.map(({ operator }) => operator.code);
	const due = await findDueUnknown(ctx.sql, routes, BATCH_SIZE);
	if (due.length === 0) return 0;
	const rematched = await transaction(ctx.sql, async (sql) =>
		rematchReceipts(ctx, sql, await claimReceiptsOf(sql, due, MOST_RECEIPTS)),
	);
	reportRematched(ctx, rematched);
	const moves = await findMoves(ctx, due);
	await transaction(ctx.sql, async (sql) => {
		await allowRepeats(sql, due);
		await moveMessages(sql, moves);
	});
	if (moves.length > 0) ctx.wakeDispatch();
	return due.length;
}

/** Where the route's policy is to go on by another one; where no other sends, it goes by its own. */
async function findMoves(
	{ sql, routes, dispatchers }: DeliveryContext,
	messageIds: readonly string[],
): Promise<Move[]> {
	const leaving = new Set(
		dispatchers.flatMap(({ operator: { code, unknownPolicy } }) =>
			unknownPolicy === "failover" ? [code] : [],
		),
	);
	if (leaving.size === 0) return [];
	const { mayTry } = routes;
	const table = routes.table();
	const messages = await findWithoutParts(sql, messageIds);
	return messages.flatMap((message) => {
		const { messageId, route: from } = message;
		if (!leaving.has(from)) return [];
		const without = new Set([from]);
		const to = findOtherRoute(table, message, from, { without, mayTry });
		const rulesVersion = table.version || null;
		return to === undefined
			? []
			: [{ messageId, from, to, rulesVersion, waitMs: 0 }];
	});
}
