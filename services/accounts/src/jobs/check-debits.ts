import { advanceScan } from "@airtower/platform/work/resumable-scan";
import type { StoredMessage } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import {
	countUndebited,
	findUndebited,
	insertUndebited,
	type NewUndebited,
} from "../store/undebited-messages.ts";

const PAGE_SIZE = 5_000;
const LIST_TIMEOUT_MS = 10_000;

/** Finds stored messages that nobody has paid for; returns how many it looked at. */
export async function checkDebits(ctx: Context): Promise<number> {
	const step = await advanceScan(ctx.sql, {
		name: "debits/sms",
		findPage: async (after) => {
			const messages = await listStored(ctx, after);
			const last = messages.at(-1);
			if (last === undefined) return undefined;
			const undebited = await findCertain(ctx, after, messages);
			return { messages, undebited, end: last.messageId };
		},
		work: (sql, { undebited }) => insertUndebited(sql, undebited),
	});
	const found = step?.done ?? 0;
	if (found > 0)
		ctx.log.error({ found }, "messages are stored that nobody has paid for");
	ctx.telemetry.undebitedMessages.set(await countUndebited(ctx.sql));
	return step?.page.messages.length ?? 0;
}

/** @param afterMessageId empty for the first messages */
async function listStored(
	ctx: Context,
	afterMessageId: string,
): Promise<StoredMessage[]> {
	const { messages } = await ctx.messaging.listStoredMessages(
		{ afterMessageId, limit: PAGE_SIZE },
		{ timeoutMs: LIST_TIMEOUT_MS },
	);
	return messages;
}

/** One that was canceled after it was listed has been given back, and is listed no more. */
async function findCertain(
	ctx: Context,
	afterMessageId: string,
	messages: readonly StoredMessage[],
): Promise<NewUndebited[]> {
	const found = await findUndebited(ctx.sql, messages);
	if (found.length === 0) return [];
	const listed = await listStored(ctx, afterMessageId);
	const ids = new Set(listed.map(({ messageId }) => messageId));
	return found.filter(({ messageId }) => ids.has(messageId));
}
