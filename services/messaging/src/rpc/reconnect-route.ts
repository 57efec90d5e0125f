import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { domainError } from "../errors.ts";
import { requestReconnect } from "../store/route-connections.ts";
import type { Handler } from "./handler.ts";

export const reconnectRoute: Handler<
	typeof MessagingAdminService.method.reconnectRoute
> = async (ctx, { code }, context) => {
	assertOrganization(context, "*");
	const processes = await requestReconnect(ctx.sql, code);
	if (processes > 0) return { processes };
	throw domainError(
		"not_found",
		"unknown_route",
		"No process delivers on a route of this code.",
		"code",
	);
};
