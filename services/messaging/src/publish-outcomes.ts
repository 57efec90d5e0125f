import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { traceEnd } from "@airtower/platform/tracing/trace-message";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FAILURE_TEXTS } from "./domain/failure-reason.ts";
import type { FinishedMessage } from "./store/finished-messages.ts";

const EVENT_TYPE = "message_outcome";
const CHANNEL = "sms";

/** Records the outcome of messages in the transaction that ends them: one event per message. */
export async function publishOutcomes(
	sql: Tx,
	finished: readonly FinishedMessage[],
	cause: "receipt" | "outcome" = "outcome",
): Promise<void> {
	const events = finished.map((message) => {
		const { traceparent } = message;
		const event = eventOf(message);
		return traceparent === null
			? event
			: { ...event, traceparent: traceEnd(message, traceparent, cause) };
	});
	await appendToOutbox(sql, events);
}

function eventOf(message: FinishedMessage): BusEvent {
	const { id, organizationId, reason } = message;
	const outcome = create(MessageOutcomeSchema, {
		messageId: id,
		organizationId,
		channel: CHANNEL,
		status: message.status,
		to: message.recipient,
		clientReference: message.clientReference ?? "",
		campaignId: message.campaignId ?? "",
		errorCode: reason ?? "",
		errorMessage: reason === null ? "" : FAILURE_TEXTS[reason],
		occurredAt: timestampFromDate(message.finishedAt),
	});
	return {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		type: EVENT_TYPE,
		key: id,
		organizationId,
		payload: toBinary(MessageOutcomeSchema, outcome),
	};
}
