import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import type { Handler } from "../handler.ts";
import { readStoredRoute, requireRing } from "./stored-route.ts";

export const getRoute: Handler<
	typeof MessagingAdminService.method.getRoute
> = async (ctx, { code }, context) => {
	assertOrganization(context, "*");
	return { route: await readStoredRoute(ctx.sql, requireRing(ctx), code) };
};
