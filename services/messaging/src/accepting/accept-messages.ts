import {
	type Db,
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
	transaction,
} from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { fault } from "@airtower/platform/runtime/fault";
import { isUuid, uuidv7 } from "@airtower/platform/runtime/ids";
import {
	closeInRounds,
	openBatch,
	refuse,
	toResults,
} from "@airtower/platform/work/batch";
import {
	closeStored,
	NotStoredError,
	recordKeys,
	replayKnown,
	type StoreOutcome,
	storeBatch,
} from "@airtower/platform/work/store-batch";
import {
	type MessageAccepted,
	MessageAcceptedSchema,
	type SendMessage,
	type SendResult,
	SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { messagesAcceptedEvents } from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import {
	type InsertTimes,
	insertMessages,
	type NewMessage,
} from "../store/messages.ts";
import {
	MAX_CAMPAIGN_AGE_MS,
	messageRefusal,
	type SendItem,
} from "./check-messages.ts";
import { decideMessages } from "./decide-messages.ts";
import { type PaidMessage, releaseQuota, reserveQuota } from "./quota.ts";
import type { AddressedMessage } from "./senders.ts";

/**
 * A campaign may send its batches again for as long as messages are taken for it at all, and somewhat longer than that
 * nobody is sent to twice.
 */
const CAMPAIGN_KEY_MS = MAX_CAMPAIGN_AGE_MS + 30 * 24 * 3_600_000;

/**
 * Returns one result per message, in order; none hinders another.
 * @param signal aborted when the caller has given up: it tells its clients to try again, so nothing is stored then
 */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendMessage[],
	signal: AbortSignal,
): Promise<SendResult[]> {
	return closeBatch(ctx, messages, (items) => acceptRound(ctx, items, signal));
}

/** Returns what was accepted under the keys of these messages before, and stores none of the others. */
export async function replayMessages(
	ctx: Context,
	messages: readonly SendMessage[],
): Promise<SendResult[]> {
	return closeBatch(ctx, messages, async (items) => {
		const fresh = await replayKnown(ctx.sql, items, MessageAcceptedSchema);
		for (const item of fresh) refuse(item, messageRefusal("not_sent"));
	});
}

async function closeBatch(
	{ log }: Context,
	messages: readonly SendMessage[],
	closeRound: (items: readonly SendItem[]) => Promise<void>,
): Promise<SendResult[]> {
	const batch = openBatch<SendMessage, MessageAccepted>(
		messages.map(withOwnKeySpace),
		({ campaignId }) => (campaignId === "" ? undefined : CAMPAIGN_KEY_MS),
	);
	await closeInRounds(batch, log, closeRound);
	return toResults(batch).map((result) => create(SendResultSchema, { result }));
}

/** A campaign's keys are its own: no key that a client may choose has a slash. */
function withOwnKeySpace(message: SendMessage): SendMessage {
	const { campaignId, idempotency } = message;
	if (!isUuid(campaignId) || idempotency === undefined) return message;
	const key = `${campaignId.toLowerCase()}/${idempotency.key}`;
	return { ...message, idempotency: { ...idempotency, key } };
}

async function acceptRound(
	ctx: Context,
	items: readonly SendItem[],
	signal: AbortSignal,
): Promise<void> {
	const fresh = await replayKnown(ctx.sql, items, MessageAcceptedSchema);
	const { addressed, routed } = await decideMessages(ctx, fresh, ctx.routes);
	const paid = await reserveQuota(ctx, routed);
	if (signal.aborted) await releaseQuota(ctx, paid);
	signal.throwIfAborted();
	const outcomes = await storeMessages(ctx, paid, firstLookUp(addressed));
	if (outcomes.includes("stored")) ctx.announceWork();
	await closeStored(ctx.sql, paid, outcomes, MessageAcceptedSchema);
	const lost = paid.filter((_, index) => isLost(outcomes[index]));
	await releaseQuota(ctx, lost);
}

function isLost(outcome: StoreOutcome | undefined): boolean {
	return outcome !== "stored" && outcome !== "unknown";
}

/** When the first of the senders was looked up, by the database's clock: the reservations are younger. */
function firstLookUp(messages: readonly AddressedMessage[]): Date {
	const times = messages.map(({ sender }) => sender.lookedUpAt.getTime());
	return new Date(messages.length === 0 ? 0 : Math.min(...times));
}

/**
 * A message is committed within this time of its reservation or never, ms: later, accounts may have given it back. The
 * database keeps the time and ends a transaction by itself, unless its commit waits: see `isCommitOverdue`.
 */
const COMMIT_DEADLINE_MS = 20_000;
const STORE_DEADLINE_MS = COMMIT_DEADLINE_MS - TRANSACTION_TIMEOUT_MS;

/** @param reservedAfter the messages were reserved after this, by the database's clock */
async function storeMessages(
	{ sql, log, limits }: Pick<Context, "sql" | "log" | "limits">,
	messages: readonly PaidMessage[],
	reservedAfter: Date,
): Promise<StoreOutcome[]> {
	const times = {
		notBefore: reservedAfter,
		deadline: new Date(reservedAfter.getTime() + STORE_DEADLINE_MS),
		validityMs: limits.validityMs,
	};
	return storeBatch(messages, log, async (messages, keyWaitMs) => {
		const won = await commit(sql, messages, times, keyWaitMs);
		fault("messaging.after_commit");
		return won;
	});
}

/** One statement: without keys it needs no transaction around it. */
async function commit(
	sql: Db,
	messages: readonly PaidMessage[],
	times: InsertTimes,
	keyWaitMs: number,
): Promise<boolean[]> {
	if (messages.every(({ item }) => item.key === undefined)) {
		await insertAll(sql, messages, times);
		return messages.map(() => true);
	}
	return transaction(sql, async (sql) => {
		const schema = MessageAcceptedSchema;
		const won = await recordKeys(sql, messages, schema, keyWaitMs);
		const winners = messages.filter((_, index) => won[index]);
		await insertAll(sql, winners, times);
		return won;
	});
}

async function insertAll(
	sql: Queryable,
	messages: readonly PaidMessage[],
	times: InsertTimes,
): Promise<void> {
	if (messages.length === 0) return;
	fault("messaging.before_commit");
	const rows = messages.map(({ row }) => row);
	const events = acceptedEvents(rows);
	if ((await insertMessages(sql, rows, events, times)) < rows.length)
		throw new NotStoredError(
			"The reservations are too old to be used, or a route was removed.",
		);
}

function acceptedEvents(rows: readonly NewMessage[]): BusEvent[] {
	const messages = rows.map((row) => ({
		...row,
		sender: row.senderValue,
		template: null,
	}));
	return messagesAcceptedEvents("sms", messages).map((event) => ({
		id: uuidv7(),
		topic: topics.messagingAccepted,
		...event,
	}));
}
