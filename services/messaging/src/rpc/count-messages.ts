import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { countMessages as countByStatus } from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";

export const countMessages: Handler<
	typeof MessagingAdminService.method.countMessages
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const rows = await countByStatus(ctx.sql, organizationId);
	const counts = rows.map(({ status, count }) => [status, BigInt(count)]);
	return { counts: Object.fromEntries(counts) };
};
