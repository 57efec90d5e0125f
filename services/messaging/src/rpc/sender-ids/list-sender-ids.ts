import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { findSenderIds } from "../../store/senders/sender-ids.ts";
import type { Handler } from "../handler.ts";
import { senderIdToProto } from "./sender-id-to-proto.ts";

export const listSenderIds: Handler<
	typeof MessagingService.method.listSenderIds
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const rows = await findSenderIds(ctx.sql, organizationId);
	return { senderIds: rows.map(senderIdToProto) };
};
