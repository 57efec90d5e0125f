import { type Tx, transaction } from "@airtower/platform/database/database";
import type { StoredMessage } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import {
	findCheckedMessage,
	moveCheckedMessage,
} from "../store/checked-messages.ts";
import {
	countUndebited,
	findUndebited,
	insertUndebited,
	type NewUndebited,
} from "../store/undebited-messages.ts";

const PAGE_SIZE = 5_000;
const LIST_TIMEOUT_MS = 10_000;
const CHANNEL = "sms";

/** Finds stored messages that nobody has paid for; returns how many it looked at. */
export async function checkDebits(ctx: Context): Promise<number> {
	const afterMessageId = await findCheckedMessage(ctx.sql, CHANNEL);
	const messages = await listStored(ctx, afterMessageId);
	const undebited = await findCertain(ctx, afterMessageId, messages);
	const found = await transaction(ctx.sql, (sql) =>
		keep(sql, afterMessageId, messages, undebited),
	);
	if (found > 0)
		ctx.log.error({ found }, "messages are stored that nobody has paid for");
	ctx.telemetry.undebitedMessages.set(await countUndebited(ctx.sql));
	return messages.length;
}

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

/** Saves only if the scan still stands where it began: two processes that check one page count it once. */
async function keep(
	sql: Tx,
	from: string,
	messages: readonly StoredMessage[],
	undebited: readonly NewUndebited[],
): Promise<number> {
	const last = messages.at(-1);
	if (last === undefined) return 0;
	if (!(await moveCheckedMessage(sql, CHANNEL, from, last.messageId))) return 0;
	return insertUndebited(sql, undebited);
}
