import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import {
	holdOrganization,
	letOrganizationGo,
} from "../../store/held-organizations.ts";
import type { Handler } from "../handler.ts";

export const setHold: Handler<
	typeof WhatsAppAdminService.method.setHold
> = async (ctx, { organizationId, held }, context) => {
	assertOrganization(context, organizationId);
	if (held) await holdOrganization(ctx.sql, organizationId);
	else await letOrganizationGo(ctx.sql, organizationId);
	ctx.wake.dispatch();
	return {};
};
