import {
	type Db,
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
	transaction,
} from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { fault } from "@airtower/platform/runtime/fault";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	NotStoredError,
	recordKeys,
	type StoreOutcome,
	storeBatch,
} from "@airtower/platform/work/store-batch";
import { MessageAcceptedSchema } from "@airtower/proto/messaging/v1/messaging";
import { messagesAcceptedEvents } from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import type { Context } from "../context.ts";
import {
	type InsertTimes,
	insertMessages,
	type NewMessage,
} from "../store/messages.ts";
import type { PaidMessage } from "./quota.ts";

/**
 * A message is committed within this time of its reservation or never, ms: later, accounts may have given it back. The
 * database keeps the time and ends a transaction by itself, unless its commit waits: see `isCommitOverdue`.
 */
const COMMIT_DEADLINE_MS = 20_000;
const STORE_DEADLINE_MS = COMMIT_DEADLINE_MS - TRANSACTION_TIMEOUT_MS;

/** @param reservedAfter the messages were reserved after this, by the database's clock */
export async function storeMessages(
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
