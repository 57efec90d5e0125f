import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { findPendingSenderIds } from "../../store/senders/sender-ids.ts";
import type { Handler } from "../handler.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

const MAX_LISTED = 1_000;

export const listPendingSenderIds: Handler<
	typeof MessagingAdminService.method.listPendingSenderIds
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	const rows = await findPendingSenderIds(ctx.sql, MAX_LISTED + 1);
	return {
		senderIds: rows.slice(0, MAX_LISTED).map((row) => ({
			organizationId: row.organizationId,
			senderId: senderIdToProto(row),
			approvedFor: [...row.approvedFor],
		})),
		more: rows.length > MAX_LISTED,
	};
};
