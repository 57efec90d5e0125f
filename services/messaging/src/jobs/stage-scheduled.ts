import { type Tx, transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import {
	findFirstRoute,
	findRouteToWaitFor,
} from "../domain/routing/other-route.ts";
import { updateRoutes } from "../store/dispatch/dispatch-settles.ts";
import {
	lockDueScheduled,
	stageMessages,
} from "../store/scheduled-messages.ts";

const BATCH_SIZE = 500;

/** Queues the scheduled messages whose time has come, by the routes that the rules choose now; returns how many. */
export async function stageScheduled(ctx: DeliveryContext): Promise<number> {
	const staged = await transaction(ctx.sql, (sql) => stage(ctx, sql));
	if (staged > 0) ctx.wakeDispatch();
	return staged;
}

async function stage({ routes, limits }: DeliveryContext, sql: Tx) {
	const due = await lockDueScheduled(sql, BATCH_SIZE);
	if (due.length === 0) return 0;
	const table = routes.table();
	const rulesVersion = table.version || null;
	const next = due.map((message) => ({
		id: message.messageId,
		acceptedFor: message.route,
		route:
			findFirstRoute(table, message) ??
			findRouteToWaitFor(table, message, message.route),
		rulesVersion,
		lane: message.lane,
	}));
	const staged = new Set(await stageMessages(sql, next, limits.validityMs));
	const moved = next.filter(
		({ id, route, acceptedFor }) => staged.has(id) && route !== acceptedFor,
	);
	await updateRoutes(sql, moved);
	return staged.size;
}
