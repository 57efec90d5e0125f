import { assertOrganization } from "@airtower/platform/rpc-caller";
import type {
	ListMissingMessagesRequest,
	ListMissingMessagesResponseSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { findMissingMessageIds } from "../store/messages.ts";

/** Tells which ids are not stored, of all organizations: only for a caller that acts for all. */
export async function listMissingMessages(
	ctx: MessagingContext,
	request: ListMissingMessagesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListMissingMessagesResponseSchema>> {
	assertOrganization(context, "*");
	const ids = request.messageIds;
	return { missingMessageIds: await findMissingMessageIds(ctx.sql, ids) };
}
