import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { takingRoutes } from "../../domain/routing/route-table.ts";
import {
	countWorkByRoute,
	type RouteWork,
} from "../../store/dispatch/dispatch-counts.ts";
import {
	listRouteHealth,
	type RouteConnectionsSum,
	sumRouteConnections,
} from "../../store/routes/route-connections.ts";
import type { Handler } from "../handler.ts";

/** The routes that are set up, those that take new messages first, and others that still have work. */
export const listRoutes: Handler<
	typeof MessagingAdminService.method.listRoutes
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	await ctx.routes.refresh();
	const routes = ctx.routes.current();
	const taking = takingRoutes(ctx.routes.table());
	const work = byRoute(await countWorkByRoute(ctx.sql));
	const connections = byRoute(await sumRouteConnections(ctx.sql));
	const health = byRoute(await listRouteHealth(ctx.sql));
	const codes = new Set([
		...routes.map(({ code }) => code).filter((code) => taking.has(code)),
		...routes.map(({ code }) => code).toSorted(),
		...work.keys(),
	]);
	return {
		routes: [...codes].map((code) => {
			const route = routes.find((route) => route.code === code);
			return {
				code,
				account: route?.settings.account ?? "",
				state: route?.state ?? "",
				takesNewMessages: taking.has(code),
				...workToProto(work.get(code)),
				...connectionsToProto(connections.get(code)),
				health: health.get(code)?.health ?? "",
				healthReason: health.get(code)?.healthReason ?? "",
			};
		}),
	};
};

function byRoute<Row extends { readonly route: string }>(
	rows: readonly Row[],
): Map<string, Row> {
	return new Map(rows.map((row) => [row.route, row]));
}

function workToProto(work: RouteWork | undefined) {
	if (work === undefined) return {};
	const { queued, submitting, unknown, oldestDueAt } = work;
	return {
		queued: BigInt(queued),
		submitting: BigInt(submitting),
		unknown: BigInt(unknown),
		...(oldestDueAt && { oldestDueAt: timestampFromDate(oldestDueAt) }),
	};
}

function connectionsToProto(row: RouteConnectionsSum | undefined) {
	if (row === undefined) return {};
	const { connections, connectionsWanted, pausedUntil, nextTryAt } = row;
	return {
		connections,
		connectionsWanted,
		...(pausedUntil && { pausedUntil: timestampFromDate(pausedUntil) }),
		...(nextTryAt && { nextTryAt: timestampFromDate(nextTryAt) }),
		lastError: row.lastError ?? "",
	};
}
