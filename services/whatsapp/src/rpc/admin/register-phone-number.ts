import { recordAct } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import type {
	RegisterPhoneNumberRequest,
	WhatsAppAdminService,
} from "@airtower/proto/whatsapp/v1/admin";
import type { Context } from "../../context.ts";
import { phoneNumberExists } from "../../errors.ts";
import { upsertAccount } from "../../store/accounts.ts";
import {
	findNumber,
	insertPhoneNumber,
	type PhoneNumberRow,
	renewNumber,
} from "../../store/phone-numbers.ts";
import type { Handler } from "../handler.ts";
import { phoneNumberToProto } from "./phone-number-to-proto.ts";

/** A number that the organization registers again gets the new token, and goes to work when it was stopped. */
export const registerPhoneNumber: Handler<
	typeof WhatsAppAdminService.method.registerPhoneNumber
> = async (ctx, request, context) => {
	const { organizationId, providerAccountId } = request;
	assertOrganization(context, organizationId);
	const row = await transaction(ctx.sql, async (sql) => {
		const row = await renewOrInsert(ctx, sql, request);
		if (row === undefined) throw phoneNumberExists();
		await upsertAccount(sql, organizationId, providerAccountId);
		const after = {
			provider_account_id: providerAccountId,
			provider_phone_number_id: request.providerPhoneNumberId,
		};
		await recordAct(sql, context, { organizationId, subject: row.id, after });
		return row;
	});
	ctx.wake.templates();
	ctx.wake.dispatch();
	return { phoneNumber: phoneNumberToProto(row) };
};

/** Undefined when the number, or the provider's id of it, is registered otherwise. */
async function renewOrInsert(
	{ ring }: Context,
	sql: Tx,
	request: RegisterPhoneNumberRequest,
): Promise<PhoneNumberRow | undefined> {
	const { organizationId, phone, providerPhoneNumberId: providerId } = request;
	const knownId = await findNumber(sql, organizationId, phone, providerId);
	const id = knownId ?? (request.phoneNumberId.toLowerCase() || uuidv7());
	const accessToken = sealSecret(ring, request.accessToken, id);
	const number = { ...request, id, accessToken };
	return knownId === undefined
		? insertPhoneNumber(sql, number)
		: renewNumber(sql, number);
}
