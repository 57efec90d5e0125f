import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { unknownTemplate } from "../../errors.ts";
import { updateLocallyDisabled } from "../../store/templates.ts";
import type { Handler } from "../handler.ts";

export const setTemplateDisabled: Handler<
	typeof WhatsAppAdminService.method.setTemplateDisabled
> = async ({ sql }, { organizationId, templateId, disabled }, context) => {
	assertOrganization(context, organizationId);
	await transaction(sql, async (sql) => {
		if (
			!(await updateLocallyDisabled(sql, organizationId, templateId, disabled))
		)
			throw unknownTemplate();
		const act = { subject: templateId, after: { disabled } };
		await recordAct(sql, context, { organizationId, ...act });
	});
	return {};
};
