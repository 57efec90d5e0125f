import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import {
	holdOrganization,
	letOrganizationGo,
} from "../store/held-organizations.ts";
import type { Handler } from "./handler.ts";

export const setHold: Handler<
	typeof MessagingAdminService.method.setHold
> = async (ctx, { organizationId, held }, context) => {
	assertOrganization(context, organizationId.toLowerCase());
	if (held) await holdOrganization(ctx.sql, organizationId);
	else await letOrganizationGo(ctx.sql, organizationId);
	return {};
};
