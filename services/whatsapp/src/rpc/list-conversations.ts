import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListConversationsRequest,
	ListConversationsResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { currentNumber } from "../domain/user-number.ts";
import { listConversations } from "../store/conversations.ts";
import { conversationToProto } from "./conversation-to-proto.ts";
import { toListRange } from "./list-range.ts";

const STATUSES = ["", "open", "closed"];

/** One page of conversations, newest first; open or closed as of now. */
export async function handleListConversations(
	ctx: Context,
	request: ListConversationsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListConversationsResponseSchema>> {
	const { organizationId, status } = request;
	assertOrganization(context, organizationId);
	if (!STATUSES.includes(status)) return {};
	const { limit, range } = toListRange(request);
	const recipient = currentNumber(request.recipient);
	const found = await listConversations(
		ctx.sql,
		organizationId,
		{ status, recipient },
		range,
		ctx.clock(),
	);
	const { rows, next } = cutPage(found, limit);
	return {
		conversations: rows.map(conversationToProto),
		...(next && { next }),
	};
}
