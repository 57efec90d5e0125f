import { assertOrganization } from "@airtower/platform/rpc/caller";
import { firstIdAt, LOWEST_ID } from "@airtower/platform/runtime/ids";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { commitOverdue } from "../errors.ts";
import {
	isCommitOverdue,
	listStoredMessages as listRows,
} from "../store/missing-messages.ts";
import type { Handler } from "./handler.ts";

/** Age from which no message comes before one that is listed, ms: ids have the time of a clock that may step back. */
const LISTED_AFTER_MS = 600_000;

/** Messages of all organizations in the order of their ids. */
export const listStoredMessages: Handler<
	typeof MessagingService.method.listStoredMessages
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	if (await isCommitOverdue(ctx.sql)) throw commitOverdue();
	const before = firstIdAt(new Date(ctx.clock().getTime() - LISTED_AFTER_MS));
	const { afterMessageId, limit } = request;
	return {
		messages: await listRows(
			ctx.sql,
			afterMessageId || LOWEST_ID,
			before,
			limit,
		),
	};
};
