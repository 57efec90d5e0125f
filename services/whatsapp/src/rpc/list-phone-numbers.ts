import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListPhoneNumbersRequest,
	ListPhoneNumbersResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { listPhoneNumbers } from "../store/phone-numbers.ts";
import { phoneNumberToProto } from "./phone-number-to-proto.ts";

/** An organization's numbers, oldest first, without tokens. */
export async function handleListPhoneNumbers(
	ctx: Context,
	{ organizationId }: ListPhoneNumbersRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListPhoneNumbersResponseSchema>> {
	assertOrganization(context, organizationId);
	const rows = await listPhoneNumbers(ctx.sql, organizationId);
	return { phoneNumbers: rows.map(phoneNumberToProto) };
}
