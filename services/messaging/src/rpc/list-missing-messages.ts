import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { commitOverdue } from "../errors.ts";
import {
	findMissingMessageIds,
	isCommitOverdue,
} from "../store/missing-messages.ts";
import type { Handler } from "./handler.ts";

/** Nothing is called missing while a commit is overdue, which may store it yet. */
export const listMissingMessages: Handler<
	typeof MessagingService.method.listMissingMessages
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	if (await isCommitOverdue(ctx.sql)) throw commitOverdue();
	const ids = request.messageIds;
	return { missingMessageIds: await findMissingMessageIds(ctx.sql, ids) };
};
