import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FAILURE_TEXTS } from "./domain/failure.ts";
import { isFinished, type Progress } from "./domain/progress.ts";
import { type LockedMessage, updateProgress } from "./store/message-changes.ts";

/** A locked message before and after what was learnt of it. */
export interface MessageChange {
	readonly before: LockedMessage;
	readonly after: LockedMessage;
}

const EVENT_TYPE = "message_outcome";
const CHANNEL = "whatsapp";

/**
 * Writes the messages that have changed, and one outcome event for each that has ended, in the same transaction.
 * Returns the status of each message that has ended.
 */
export async function recordProgress(
	sql: Tx,
	changes: readonly MessageChange[],
): Promise<Outcome[]> {
	const changed = changes.filter(hasChanged).map(({ after }) => after);
	if (changed.length > 0) await updateProgress(sql, changed);
	const ended = changes.filter(({ before, after }) =>
		isFinished(before, after),
	);
	await appendToOutbox(
		sql,
		ended.map(({ after }) => toEvent(after)),
	);
	return ended.map(({ after }) => toOutcome(after));
}

export type Outcome = "delivered" | "failed";

function toOutcome({ errorCode }: Progress): Outcome {
	return errorCode === null ? "delivered" : "failed";
}

function hasChanged({ before, after }: MessageChange): boolean {
	return (Object.keys(after) as (keyof LockedMessage)[]).some(
		(key) => before[key]?.valueOf() !== after[key]?.valueOf(),
	);
}

function toEvent(message: LockedMessage): BusEvent {
	const { id, organizationId, errorCode, lockedAt } = message;
	const outcome = create(MessageOutcomeSchema, {
		messageId: id,
		organizationId,
		channel: CHANNEL,
		status: toOutcome(message),
		to: message.recipient,
		clientReference: message.clientReference ?? "",
		errorCode: errorCode ?? "",
		errorMessage: errorCode === null ? "" : FAILURE_TEXTS[errorCode],
		occurredAt: timestampFromDate(message.finishedAt ?? lockedAt),
	});
	return {
		id: uuidv7(),
		topic: topics.whatsappOutcome,
		type: EVENT_TYPE,
		key: id,
		organizationId,
		payload: toBinary(MessageOutcomeSchema, outcome),
	};
}
