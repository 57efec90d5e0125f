import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	countWorkByRoute,
	type RouteWork,
} from "../store/dispatch/dispatch-counts.ts";
import {
	type RouteConnectionsRow,
	sumRouteConnections,
} from "../store/route-connections.ts";
import type { Handler } from "./handler.ts";

/** The routes that are set up, and others that still have work. */
export const listRoutes: Handler<
	typeof MessagingAdminService.method.listRoutes
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	const work = byRoute(await countWorkByRoute(ctx.sql));
	const connections = byRoute(await sumRouteConnections(ctx.sql));
	const codes = new Set([
		ctx.route,
		...ctx.routes.map(({ code }) => code).toSorted(),
		...work.keys(),
	]);
	return {
		routes: [...codes].map((code) => ({
			code,
			account: ctx.routes.find((route) => route.code === code)?.account ?? "",
			takesNewMessages: code === ctx.route,
			...workToProto(work.get(code)),
			...connectionsToProto(connections.get(code)),
		})),
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

function connectionsToProto(row: RouteConnectionsRow | undefined) {
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
