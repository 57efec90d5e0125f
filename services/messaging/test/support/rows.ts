import type { Db } from "@airtower/platform/database/database";
import { findOutboxEntries } from "@airtower/platform/events/outbox";
import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { findTracedMessage } from "../../src/store/shown-messages.ts";

/** Part of the statement that claims messages. */
export const CLAIM = "with due_groups as materialized";

interface MessageRow {
	readonly status: string;
	readonly reason: string | null;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
}

/** A message as it is shown. */
export async function messageRow(sql: Db, id: string): Promise<MessageRow> {
	const row = await findTracedMessage(sql, id);
	if (row === undefined) throw new Error("There is no such message.");
	const { status, reason, attempts, possibleDuplicate } = row;
	return { status, reason, attempts, possibleDuplicate };
}

export async function statusOf(sql: Db, id: string): Promise<string> {
	return (await messageRow(sql, id)).status;
}

interface DispatchState {
	readonly state: string;
	readonly attempt: number;
	readonly refusals: number;
	/** Seconds until it is due; negative when it is due already. */
	readonly dueInS: number;
}

/** The message's place in the queue, undefined once it has left it. */
export async function dispatchOf(
	sql: Db,
	id: string,
): Promise<DispatchState | undefined> {
	const [row] = await sql<DispatchState[]>`
		select
			case
				when token is not null then 'submitting'
				when unknown then 'unknown'
				else 'queued'
			end as state,
			attempt,
			refusals,
			extract(epoch from due_at - now())::float8 as "dueInS"
		from dispatch
		where message_id = ${id}
	`;
	return row;
}

/** Lets the time pass that waiting messages and receipts wait for. */
export async function makeAllDue(sql: Db): Promise<void> {
	await sql`update dispatch set due_at = now() where token is null`;
	await sql`update receipts set due_at = now() where due_at < 'infinity'`;
}

/** Every outcome event that was recorded, oldest first. */
export async function outcomes(sql: Db): Promise<MessageOutcome[]> {
	const entries = await findOutboxEntries(sql, 10_000);
	return entries
		.filter(({ event }) => event.topic === topics.messagingOutcome)
		.map(({ event }) => fromBinary(MessageOutcomeSchema, event.payload));
}

export async function outcomesOf(
	sql: Db,
	messageId: string,
): Promise<string[]> {
	return (await outcomes(sql))
		.filter((outcome) => outcome.messageId === messageId)
		.map(({ status, errorCode }) => errorCode || status);
}

export async function waitingReceipts(sql: Db): Promise<number> {
	const rows = await sql`select from receipts`;
	return rows.count;
}

/** Lets the time come for which messages are scheduled. */
export async function reachSendTimes(sql: Db): Promise<void> {
	await sql`update scheduled_messages set due_at = now() - interval '1 second'`;
	await sql`
		update messages
		set send_at = now() - interval '1 second'
		where send_at is not null
	`;
}
