import { callerOf } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { listStoppedNumbers as listRows } from "../../store/phone-numbers.ts";
import type { Handler } from "../handler.ts";
import { phoneNumberToProto } from "./phone-number-to-proto.ts";

const MOST = 1_000;

/** Shows none of another organization's to an admin who is bound to one. */
export const listStoppedNumbers: Handler<
	typeof WhatsAppAdminService.method.listStoppedNumbers
> = async (ctx, _request, context) => {
	const rows = await listRows(ctx.sql, callerOf(context).organization, MOST);
	const numbers = rows.map((row) => ({
		organizationId: row.organizationId,
		phoneNumber: phoneNumberToProto(row),
		providerPhoneNumberId: row.providerPhoneNumberId,
		providerAccountId: row.providerAccountId,
	}));
	return { numbers };
};
