import type { Tx } from "@airtower/platform/database/database";
import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { isUuid } from "@airtower/platform/runtime/ids";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { MessagesAcceptedSchema } from "@airtower/proto/common/v1/messages_accepted";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import {
	type CountedMessages,
	countAccepted,
	countEnd,
	lowestCounted,
	reasonOf,
	toCounts,
} from "../domain/report-counts.ts";
import { addCounts, insertMarks, reasonSlots } from "../store/report-counts.ts";

export type ConsumerGroup = Pick<
	ConsumerOptions,
	"group" | "topics" | "lingerMs" | "apply" | "appliesOnce"
>;

/** Reports are at most so much later, ms; a batch takes three statements, however many events it has. */
const LINGER_MS = 500;

/** Counts for reports what is accepted and what becomes of it. */
export function reportsGroup({ clock }: Pick<Context, "clock">): ConsumerGroup {
	return {
		group: "accounts.reports",
		topics: [
			topics.messagingAccepted,
			topics.messagingOutcome,
			topics.whatsappAccepted,
			topics.whatsappOutcome,
		],
		lingerMs: LINGER_MS,
		apply: (sql, events) => countMessages(sql, events, clock()),
		appliesOnce: true,
	};
}

/** What an event adds to the counts, once. */
interface Counted {
	/** Marks that it was counted: a message has one end, whatever event tells of it. */
	readonly mark: string;
	/** Why it failed, if it is the end of one that did. */
	readonly reason?: string | undefined;
	readonly count: (slots: ReadonlyMap<string, number>) => CountedMessages[];
}

/**
 * Adds to the counts of reports what is not in them yet. Left out is an end of which an older release tells nothing but
 * the end, and what is too old to be marked.
 */
export async function countMessages(
	sql: Tx,
	events: readonly BusEvent[],
	now: Date,
): Promise<void> {
	const lowest = lowestCounted(now);
	const byMark = new Map(
		events
			.map(readEvent)
			.filter((one) => one !== undefined)
			.filter(({ mark }) => mark >= lowest)
			.map((one) => [one.mark, one]),
	);
	for (const counted of await insertMarks(sql, [...byMark.keys()]))
		byMark.delete(counted);
	const fresh = [...byMark.values()];
	const reasons = fresh.map(({ reason }) => reason);
	const slots = await reasonSlots(
		sql,
		reasons.filter((one) => one !== undefined),
	);
	await addCounts(sql, toCounts(fresh.flatMap(({ count }) => count(slots))));
}

/** Throws where the event is incomplete. */
function readEvent({ id, topic, payload }: BusEvent): Counted | undefined {
	if (topic === topics.messagingAccepted || topic === topics.whatsappAccepted) {
		const accepted = fromBinary(MessagesAcceptedSchema, payload);
		const messages = countAccepted(accepted);
		return { mark: id.toLowerCase(), count: () => messages };
	}
	const outcome = fromBinary(MessageOutcomeSchema, payload);
	if (outcome.dimensions === undefined) return undefined;
	if (!isUuid(outcome.messageId))
		throw new Error("The outcome names no message.");
	return {
		mark: outcome.messageId.toLowerCase(),
		reason: reasonOf(outcome),
		count: (slots) => countEnd(outcome, slots),
	};
}
