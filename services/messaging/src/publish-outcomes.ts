import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { traceStep } from "@airtower/platform/tracing/spans";
import { messageOutcomeEvent } from "@airtower/proto/rules/message-outcome";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FAILURE_TEXTS } from "./domain/failure-reason.ts";
import type { EndedMessage } from "./store/message-updates.ts";

const CHANNEL = "sms";

/** Records the outcome of messages in the transaction that ends them: one event per message. */
export async function publishOutcomes(
	sql: Tx,
	finished: readonly EndedMessage[],
	cause: "receipt" | "outcome" = "outcome",
): Promise<void> {
	await appendToOutbox(
		sql,
		finished.map((message) => toEvent(message, cause)),
	);
}

function toEvent(message: EndedMessage, cause: string): BusEvent {
	const { id, organizationId, status, reason, traceparent } = message;
	const outcome = {
		messageId: id,
		organizationId,
		channel: CHANNEL,
		status,
		to: message.recipient,
		clientReference: message.clientReference ?? "",
		campaignId: message.campaignId ?? "",
		errorCode: reason ?? "",
		errorMessage: reason === null ? "" : FAILURE_TEXTS[reason],
		occurredAt: timestampFromDate(message.finishedAt),
	};
	const attributes = { "messaging.message.id": id, status: outcome.status };
	return {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		...messageOutcomeEvent(outcome),
		...(traceparent && {
			traceparent: traceStep(cause, traceparent, attributes),
		}),
	};
}
