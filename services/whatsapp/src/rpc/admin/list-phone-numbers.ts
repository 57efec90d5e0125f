import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { listPhoneNumbers as listRows } from "../../store/phone-numbers.ts";
import type { Handler } from "../handler.ts";
import { phoneNumberToProto } from "./phone-number-to-proto.ts";

export const listPhoneNumbers: Handler<
	typeof WhatsAppAdminService.method.listPhoneNumbers
> = async (ctx, { organizationId }, context) => {
	assertOrganization(context, organizationId);
	const rows = await listRows(ctx.sql, organizationId);
	return { phoneNumbers: rows.map(phoneNumberToProto) };
};
