import type { DeliveryContext } from "../context.ts";
import type { Operator } from "../operators/operator.ts";
import {
	type RouteConnectionsRow,
	takeReconnects,
	upsertRouteConnections,
} from "../store/routes/route-connections.ts";

/** Tells the processes that serve calls how this one stands with its operators, and does what they ask for. */
export async function reportRoutes(ctx: DeliveryContext): Promise<number> {
	const token = ctx.lease.token();
	const wanted = await takeReconnects(ctx.sql, token);
	for (const { operator } of ctx.dispatchers) {
		if (wanted.includes(operator.code)) operator.reconnect();
		await upsertRouteConnections(ctx.sql, token, connectionsOf(operator));
	}
	return 0;
}

function connectionsOf(operator: Operator): RouteConnectionsRow {
	const { binds, bindsWanted, pausedUntil, lastError, nextTryAt } =
		operator.status();
	return {
		route: operator.code,
		connections: binds,
		connectionsWanted: bindsWanted,
		pausedUntil: pausedUntil ?? null,
		lastError: lastError ?? null,
		nextTryAt: nextTryAt ?? null,
	};
}
