import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { unknownPhoneNumber } from "../../errors.ts";
import { expireUnsent } from "../../store/dispatch/dispatch.ts";
import { removeNumber } from "../../store/phone-numbers.ts";
import type { Handler } from "../handler.ts";

export const removePhoneNumber: Handler<
	typeof WhatsAppAdminService.method.removePhoneNumber
> = async (ctx, { organizationId, phoneNumberId }, context) => {
	assertOrganization(context, organizationId);
	await transaction(ctx.sql, async (sql) => {
		if (!(await removeNumber(sql, organizationId, phoneNumberId)))
			throw unknownPhoneNumber();
		await expireUnsent(sql, phoneNumberId);
		await recordAct(sql, context, { organizationId, subject: phoneNumberId });
	});
	return {};
};
