import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import type { Handler } from "../handler.ts";
import { changeRouteSettings } from "./change-route-settings.ts";
import { readStoredRoute, requireRing } from "./stored-route.ts";

export const setRoute: Handler<
	typeof MessagingAdminService.method.setRoute
> = async (ctx, { code, settings }, context) => {
	assertOrganization(context, "*");
	const ring = requireRing(ctx);
	const route = await transaction(ctx.sql, async (sql) => {
		await changeRouteSettings({ sql, ring, context }, code, settings);
		return readStoredRoute(sql, ring, code);
	});
	return { route };
};
