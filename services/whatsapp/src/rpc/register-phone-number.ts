import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { sealSecret } from "@airtower/platform/runtime/secret-box";
import type {
	RegisterPhoneNumberRequest,
	RegisterPhoneNumberResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { phoneNumberExists } from "../errors.ts";
import { upsertAccount } from "../store/accounts.ts";
import {
	findNumber,
	insertPhoneNumber,
	type PhoneNumberRow,
	renewNumber,
} from "../store/phone-numbers.ts";
import { phoneNumberToProto } from "./phone-number-to-proto.ts";

/**
 * Registers a number and has its templates read. Registering one of the same organization again gives it
 * the new token, and puts it to work when it was stopped.
 */
export async function registerPhoneNumber(
	ctx: Context,
	request: RegisterPhoneNumberRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof RegisterPhoneNumberResponseSchema>> {
	const { organizationId, providerAccountId } = request;
	assertOrganization(context, organizationId);
	const row = await transaction(ctx.sql, async (sql) => {
		const row = await renewOrInsert(ctx, sql, request);
		if (row === undefined) throw phoneNumberExists();
		await upsertAccount(sql, organizationId, providerAccountId);
		return row;
	});
	ctx.wake.templates();
	ctx.wake.dispatch();
	return { phoneNumber: phoneNumberToProto(row) };
}

async function renewOrInsert(
	ctx: Context,
	sql: Tx,
	request: RegisterPhoneNumberRequest,
): Promise<PhoneNumberRow | undefined> {
	const { organizationId, phone, providerPhoneNumberId, providerAccountId } =
		request;
	const seal = (id: string) => sealSecret(ctx.ring, request.accessToken, id);
	const known = await findNumber(
		sql,
		organizationId,
		phone,
		providerPhoneNumberId,
	);
	if (known !== undefined)
		return renewNumber(
			sql,
			organizationId,
			known,
			providerAccountId,
			seal(known),
		);
	const id = uuidv7();
	return insertPhoneNumber(sql, {
		...{ id, organizationId, phone },
		...{ providerPhoneNumberId, providerAccountId },
		accessToken: seal(id),
	});
}
