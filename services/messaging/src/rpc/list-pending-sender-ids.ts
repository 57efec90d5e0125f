import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListPendingSenderIdsRequest,
	ListPendingSenderIdsResponseSchema,
} from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { findPendingSenderIds } from "../store/sender-ids.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

const MAX_LISTED = 1_000;

/** The sender IDs of all organizations that wait for a decision. Only for a caller of every organization. */
export async function listPendingSenderIds(
	ctx: MessagingContext,
	_request: ListPendingSenderIdsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListPendingSenderIdsResponseSchema>> {
	assertOrganization(context, "*");
	const rows = await findPendingSenderIds(ctx.sql, MAX_LISTED + 1);
	return {
		senderIds: rows.slice(0, MAX_LISTED).map((row) => ({
			organizationId: row.organizationId,
			senderId: senderIdToProto(row),
		})),
		more: rows.length > MAX_LISTED,
	};
}
