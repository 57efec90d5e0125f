import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { findReadableAccounts } from "../../store/accounts.ts";
import { syncAccountTemplates } from "../../sync-account-templates.ts";
import type { Handler } from "../handler.ts";

export const syncTemplates: Handler<
	typeof WhatsAppAdminService.method.syncTemplates
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	recordNothing(context);
	let templates = 0;
	for (const account of await findReadableAccounts(ctx.sql, organizationId))
		templates += await syncAccountTemplates(ctx, account, (sql, templates) =>
			recordAct(sql, context, {
				organizationId,
				subject: account.providerAccountId,
				after: { templates },
			}),
		);
	return { templates };
};
