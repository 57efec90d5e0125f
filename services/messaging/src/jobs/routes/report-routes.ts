import type { DeliveryContext, Dispatcher } from "../../context.ts";
import {
	type RouteConnectionsRow,
	takeReconnects,
	upsertRouteConnections,
} from "../../store/routes/route-connections.ts";

/** Tells the processes that serve calls how this one stands with its operators, and does what they ask for. */
export async function reportRoutes(ctx: DeliveryContext): Promise<number> {
	const token = ctx.lease.token();
	const wanted = await takeReconnects(ctx.sql, token);
	for (const dispatcher of ctx.dispatchers) {
		const { operator } = dispatcher;
		if (wanted.includes(operator.code)) operator.reconnect();
		await reportRoute(ctx, dispatcher);
	}
	return 0;
}

export async function reportRoute(
	{ sql, lease }: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<void> {
	await upsertRouteConnections(sql, lease.token(), connectionsOf(dispatcher));
}

function connectionsOf({ operator, watch }: Dispatcher): RouteConnectionsRow {
	const { binds, bindsWanted, pausedUntil, lastError, nextTryAt } =
		operator.status();
	return {
		route: operator.code,
		connections: binds,
		connectionsWanted: bindsWanted,
		pausedUntil: pausedUntil ?? null,
		lastError: lastError ?? null,
		nextTryAt: nextTryAt ?? null,
		health: watch.opinion.health,
		healthReason: watch.opinion.reason,
	};
}
