import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import {
	resumeGroup,
	suspendGroup,
} from "@airtower/platform/work/suspended-groups";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { suspendedOrganizations } from "../../store/suspended-organizations.ts";
import type { Handler } from "../handler.ts";

export const setHold: Handler<
	typeof WhatsAppAdminService.method.setHold
> = async (ctx, { organizationId, held }, context) => {
	assertOrganization(context, organizationId);
	await transaction(ctx.sql, async (sql) => {
		const change = held ? suspendGroup : resumeGroup;
		if (await change(sql, suspendedOrganizations, organizationId))
			await recordAct(sql, context, { organizationId, after: { held } });
		else recordNothing(context);
	});
	ctx.wake.dispatch();
	return {};
};
