import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { traceStep } from "@airtower/platform/tracing/spans";
import {
	messageDimensions,
	messageOutcomeEvent,
} from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FAILURE_TEXTS } from "./domain/failure.ts";
import { isFinished, type Progress } from "./domain/progress.ts";
import { type LockedMessage, updateProgress } from "./store/message-changes.ts";

const CHANNEL = "whatsapp";

/** Writes what `change` makes of locked messages, and an event for each that it ends; returns their outcomes. */
export async function recordProgress(
	sql: Tx,
	messages: readonly LockedMessage[],
	change: (before: LockedMessage) => LockedMessage,
	cause: "status" | "outcome" = "outcome",
): Promise<Outcome[]> {
	const changes = messages
		.map((before) => ({ before, after: change(before) }))
		.filter(({ before, after }) => isDifferent(before, after));
	const changed = changes.map(({ after }) => after);
	if (changed.length > 0) await updateProgress(sql, changed);
	const ended = changes.flatMap(({ before, after }) =>
		isFinished(before, after) ? [after] : [],
	);
	await appendToOutbox(
		sql,
		ended.map((message) => toEvent(message, cause)),
	);
	return ended.map(toOutcome);
}

export type Outcome = "delivered" | "failed";

function toOutcome({ errorCode }: Progress): Outcome {
	return errorCode === null ? "delivered" : "failed";
}

function isDifferent(before: LockedMessage, after: LockedMessage): boolean {
	return (Object.keys(after) as (keyof LockedMessage)[]).some(
		(key) => before[key]?.valueOf() !== after[key]?.valueOf(),
	);
}

function toEvent(message: LockedMessage, cause: string): BusEvent {
	const { id, organizationId, errorCode, lockedAt, traceparent } = message;
	const { sentAt } = message;
	const outcome = {
		messageId: id,
		organizationId,
		channel: CHANNEL,
		status: toOutcome(message),
		to: message.recipient ?? "",
		clientReference: message.clientReference ?? "",
		errorCode: errorCode ?? "",
		errorMessage: errorCode === null ? "" : FAILURE_TEXTS[errorCode],
		occurredAt: timestampFromDate(message.finishedAt ?? lockedAt),
		dimensions: messageDimensions({
			recipient: message.recipient ?? "",
			route: "",
			sender: message.phoneNumberId,
			template: message.templateName,
		}),
		...(sentAt && { submittedAt: timestampFromDate(sentAt) }),
	};
	const attributes = { "messaging.message.id": id, status: message.status };
	return {
		id: uuidv7(),
		topic: topics.whatsappOutcome,
		...messageOutcomeEvent(outcome),
		...(traceparent && {
			traceparent: traceStep(cause, traceparent, attributes),
		}),
	};
}
