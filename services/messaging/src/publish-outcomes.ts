import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { toOutcomeEvent } from "@airtower/platform/events/outcome-event";
import { traceEnd } from "@airtower/platform/tracing/trace-message";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FAILURE_TEXTS } from "./domain/failure-reason.ts";
import type { FinishedMessage } from "./store/message-updates.ts";

const CHANNEL = "sms";

/** Records the outcome of messages in the transaction that ends them: one event per message. */
export async function publishOutcomes(
	sql: Tx,
	finished: readonly FinishedMessage[],
	cause: "receipt" | "outcome" = "outcome",
): Promise<void> {
	await appendToOutbox(
		sql,
		finished.map((message) => toEvent(message, cause)),
	);
}

function toEvent(message: FinishedMessage, cause: string): BusEvent {
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
	const end = traceparent && traceEnd(message, traceparent, cause);
	return toOutcomeEvent(topics.messagingOutcome, outcome, end);
}
