import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	CountMessagesRequest,
	CountMessagesResponseSchema,
} from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { countMessages as countByStatus } from "../store/messages.ts";

/** Counts an organization's messages by status; a status without messages is left out. */
export async function countMessages(
	ctx: MessagingContext,
	request: CountMessagesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof CountMessagesResponseSchema>> {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const rows = await countByStatus(ctx.sql, organizationId);
	const counts = rows.map(({ status, count }) => [status, BigInt(count)]);
	return { counts: Object.fromEntries(counts) };
}
