import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import {
	holdOrganization,
	releaseOrganization,
} from "@airtower/platform/work/held-organizations";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import type { Handler } from "../handler.ts";

export const setHold: Handler<
	typeof WhatsAppAdminService.method.setHold
> = async (ctx, { organizationId, held }, context) => {
	assertOrganization(context, organizationId);
	await transaction(ctx.sql, async (sql) => {
		const change = held ? holdOrganization : releaseOrganization;
		if (await change(sql, organizationId))
			await recordAct(sql, context, { organizationId, after: { held } });
		else recordNothing(context);
	});
	ctx.wake.dispatch();
	return {};
};
