import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { listAllTemplates as listRows } from "../../store/templates.ts";
import type { Handler } from "../handler.ts";
import { templateToProto } from "../template-to-proto.ts";

const MAX_TEMPLATES = 5_000;

export const listAllTemplates: Handler<
	typeof WhatsAppAdminService.method.listAllTemplates
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	const rows = await listRows(ctx.sql, organizationId, MAX_TEMPLATES);
	return {
		templates: rows.map((row) => ({
			template: templateToProto(row),
			locallyDisabled: row.locallyDisabled,
		})),
	};
};
