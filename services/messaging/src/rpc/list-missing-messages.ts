import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { domainError } from "../errors.ts";
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
	if (await isCommitOverdue(ctx.sql))
		throw domainError(
			"unavailable",
			"commit_overdue",
			"Messages are still being stored; ask again later.",
		);
	const ids = request.messageIds;
	return { missingMessageIds: await findMissingMessageIds(ctx.sql, ids) };
};
