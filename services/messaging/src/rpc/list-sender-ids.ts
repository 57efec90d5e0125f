import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListSenderIdsRequest,
	ListSenderIdsResponseSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { findSenderIds } from "../store/sender-ids.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

/** Lists all sender IDs of an organization, newest first. */
export async function listSenderIds(
	ctx: MessagingContext,
	request: ListSenderIdsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListSenderIdsResponseSchema>> {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const rows = await findSenderIds(ctx.sql, organizationId);
	return { senderIds: rows.map(senderIdToProto) };
}
