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
	addUp,
	countAccepted,
	countEnd,
	lowestCounted,
	type ReportCount,
} from "../domain/report-counts.ts";
import { addCounts, insertMarks } from "../store/report-counts.ts";

export type ConsumerGroup = Pick<
	ConsumerOptions,
	"group" | "topics" | "concerns" | "apply" | "appliesOnce"
>;

export function consumerGroups({
	clock,
}: Pick<Context, "clock">): ConsumerGroup[] {
	return [
		{
			group: "accounts.reports",
			topics: [
				topics.messagingAccepted,
				topics.messagingOutcome,
				topics.whatsappAccepted,
				topics.whatsappOutcome,
			],
			concerns: (event) => isCounted(event, clock()),
			apply: countMessages,
			appliesOnce: true,
		},
	];
}

/** What an event adds to the counts, once. */
interface Counted {
	/** Marks that it was counted: a message has one end, whatever event tells of it. */
	readonly mark: string;
	/** Throws where the event is incomplete. */
	readonly toCounts: () => readonly ReportCount[];
}

/** False for an end of which an older release tells nothing but the end, and for what is too old to be marked. */
export function isCounted(event: BusEvent, now: Date): boolean {
	const counted = readEvent(event);
	return counted !== undefined && counted.mark >= lowestCounted(now);
}

/** Adds to the counts of reports what is not in them yet. */
export async function countMessages(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const byMark = new Map(
		events
			.map(readEvent)
			.filter((one) => one !== undefined)
			.map((one) => [one.mark, one.toCounts()]),
	);
	const fresh = await insertMarks(sql, [...byMark.keys()]);
	await addCounts(
		sql,
		addUp([...fresh].flatMap((mark) => byMark.get(mark) ?? [])),
	);
}

function readEvent({ id, topic, payload }: BusEvent): Counted | undefined {
	if (topic === topics.messagingAccepted || topic === topics.whatsappAccepted) {
		const accepted = fromBinary(MessagesAcceptedSchema, payload);
		return { mark: id.toLowerCase(), toCounts: () => countAccepted(accepted) };
	}
	const outcome = fromBinary(MessageOutcomeSchema, payload);
	if (outcome.dimensions === undefined) return undefined;
	if (!isUuid(outcome.messageId))
		throw new Error("The outcome names no message.");
	return {
		mark: outcome.messageId.toLowerCase(),
		toCounts: () => countEnd(outcome),
	};
}
