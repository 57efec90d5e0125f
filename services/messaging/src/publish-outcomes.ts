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
import { FAILURE_TEXTS } from "./domain/failure-reason.ts";
import { type RouteCost, toMicros } from "./domain/routing/route-table.ts";
import type { Routing } from "./routes/routing.ts";
import type { EndedMessage } from "./store/message-updates.ts";

const CHANNEL = "sms";

export type RouteCosts = Pick<Routing, "table">;

/**
 * Records the outcome of messages in the transaction that ends them: one event per message.
 * @param routes with what they cost now; left out where no operator has taken any of the messages
 */
export async function publishOutcomes(
	sql: Tx,
	finished: readonly EndedMessage[],
	routes?: RouteCosts,
	cause: "receipt" | "outcome" = "outcome",
): Promise<void> {
	const costs = routes?.table().routes;
	await appendToOutbox(
		sql,
		finished.map((message) =>
			toEvent(message, costs?.get(message.route)?.cost, cause),
		),
	);
}

function toEvent(
	message: EndedMessage,
	cost: RouteCost | undefined,
	cause: string,
): BusEvent {
	const { id, organizationId, status, reason, traceparent } = message;
	const { route, firstRoute, segments, submittedAt } = message;
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
		dimensions: messageDimensions({
			...message,
			sender: message.senderValue,
			template: null,
		}),
		firstRoute: firstRoute === null || firstRoute === route ? "" : firstRoute,
		segments,
		...(submittedAt && { submittedAt: timestampFromDate(submittedAt) }),
		...(isCharged(message) && toCost(cost, chargedParts(message))),
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

/** Operators charge for what they have taken. */
function isCharged({ status, submittedAt }: EndedMessage): boolean {
	return status === "delivered" || submittedAt !== null;
}

/** A route may send a text in more parts than its own; one that it sends in one piece is divided by the operator. */
function chargedParts({ segments, partCount }: EndedMessage): number {
	return Math.max(segments, partCount ?? 0);
}

function toCost(cost: RouteCost | undefined, parts: number) {
	if (cost === undefined) return {};
	return {
		costMicros: toMicros(cost) * BigInt(parts),
		currency: cost.currency,
	};
}
