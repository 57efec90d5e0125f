import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	DeleteContactRequest,
	DeleteContactResponseSchema,
} from "@airtower/proto/campaigns/v1/contacts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { unknownContact } from "../errors.ts";
import { removeContact } from "../store/contacts.ts";

/** Removes a contact; campaigns that hold it already still send to it. */
export async function deleteContact(
	ctx: Context,
	request: DeleteContactRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteContactResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const id = Number(request.contactId);
	const known =
		Number.isSafeInteger(id) &&
		(await removeContact(ctx.sql, request.organizationId, id));
	if (!known) throw unknownContact();
	return {};
}
