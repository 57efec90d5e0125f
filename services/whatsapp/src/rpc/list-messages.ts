import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListMessagesRequest,
	ListMessagesResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { currentNumber } from "../domain/user-number.ts";
import { listMessages } from "../store/messages.ts";
import { toListRange } from "./list-range.ts";
import { messageToProto } from "./message-to-proto.ts";

/** One page of messages, newest first. */
export async function handleListMessages(
	ctx: Context,
	request: ListMessagesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListMessagesResponseSchema>> {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const { limit, range } = toListRange(request);
	const recipient = currentNumber(request.recipient);
	const filter = { ...request, recipient };
	const found = await listMessages(ctx.sql, organizationId, filter, range);
	const { rows, next } = cutPage(found, limit);
	return { messages: rows.map(messageToProto), ...(next && { next }) };
}
