import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListMissingMessagesRequest,
	ListMissingMessagesResponseSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { domainError } from "../errors.ts";
import { findMissingMessageIds, isCommitOverdue } from "../store/messages.ts";

/**
 * Tells which ids are not stored, of all organizations: only for a caller that acts for all. No answer is given
 * while a commit is overdue, which may store them yet; a commit that begins later is too late for them.
 */
export async function listMissingMessages(
	ctx: MessagingContext,
	request: ListMissingMessagesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListMissingMessagesResponseSchema>> {
	assertOrganization(context, "*");
	if (await isCommitOverdue(ctx.sql))
		throw domainError(
			"unavailable",
			"commit_overdue",
			"Messages are still being stored; ask again later.",
		);
	const ids = request.messageIds;
	return { missingMessageIds: await findMissingMessageIds(ctx.sql, ids) };
}
