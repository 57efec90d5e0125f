import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { countWorkByRoute } from "../store/dispatch/dispatch-counts.ts";
import { sumRouteConnections } from "../store/route-connections.ts";
import type { Handler } from "./handler.ts";
import { connectionsToProto, workToProto } from "./route-to-proto.ts";

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
