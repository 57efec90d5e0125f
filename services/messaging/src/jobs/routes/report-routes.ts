import type { DeliveryContext, Dispatcher } from "../../context.ts";
import { toErrorText } from "../../domain/operator-text.ts";
import {
	type RouteConnectionsRow,
	takeReconnects,
	upsertRouteConnections,
} from "../../store/routes/route-connections.ts";

/** Tells the processes that serve calls how this one stands with its operators, and does what they ask for. */
export async function reportRoutes(ctx: DeliveryContext): Promise<number> {
	const token = ctx.lease.token();
	const wanted = await takeReconnects(ctx.sql, token);
	for (const { operator } of ctx.dispatchers)
		if (wanted.includes(operator.code)) operator.reconnect();
	await tellOthers(ctx, ctx.dispatchers);
	return 0;
}

/** One statement, however many routes. */
export async function tellOthers(
	{ sql, lease }: DeliveryContext,
	dispatchers: readonly Dispatcher[],
): Promise<void> {
	const rows = dispatchers.map(connectionsOf);
	if (rows.length > 0) await upsertRouteConnections(sql, lease.token(), rows);
}

function connectionsOf({ operator, watch }: Dispatcher): RouteConnectionsRow {
	const { binds, bindsWanted, pausedUntil, lastError, nextTryAt } =
		operator.status();
	return {
		route: operator.code,
		connections: binds,
		connectionsWanted: bindsWanted,
		pausedUntil: pausedUntil ?? null,
		lastError: lastError === undefined ? null : toErrorText(lastError),
		nextTryAt: nextTryAt ?? null,
		health: watch.opinion.health,
		healthReason: watch.opinion.reason,
	};
}
