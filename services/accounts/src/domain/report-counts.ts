import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { MessageOutcome } from "@airtower/proto/common/v1/message_outcome";
import type {
	MessageDimensions,
	MessagesAccepted,
} from "@airtower/proto/common/v1/messages_accepted";
import { hourOfMessage } from "@airtower/proto/rules/message-events";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { bucketOf, packedCount } from "./packed-counts.ts";

const DAY_MS = 86_400_000;

/** What a report may tell apart. Days are read off the hours. */
export type ReportDimension =
	| "hour"
	| "country"
	| "prefix"
	| "route"
	| "sender"
	| "campaign"
	| "template";

export interface CountKey {
	/** Empty for messages without one. */
	readonly value: string;
	readonly channel: "sms" | "whatsapp";
	/** Of the cost, empty where none is known. */
	readonly currency: string;
}

interface Amounts {
	readonly accepted: number;
	readonly delivered: number;
	readonly canceled: number;
	/** A sum of `packedCount` by the slots of reasons. */
	readonly failures: bigint;
	/** A sum of `packedCount` by the buckets of times. */
	readonly receiptTimes: bigint;
	/** Of accepted messages. */
	readonly segments: number;
	readonly costMicros: number;
}

export interface ReportCount extends CountKey, Amounts {
	readonly organizationId: string;
	readonly dimension: ReportDimension;
	/** Beginning of the hour, or of the day where the dimension is another. */
	readonly beginsAt: Date;
}

/** Messages that no report tells apart. */
export interface CountedMessages extends Omit<CountKey, "value">, Amounts {
	readonly organizationId: string;
	readonly hourMs: number;
	readonly dimensions: MessageDimensions;
	readonly campaignId: string;
	/** The only dimension in which they count; undefined: all. */
	readonly only?: ReportDimension;
}

const NOTHING = {
	currency: "",
	accepted: 0,
	delivered: 0,
	canceled: 0,
	failures: 0n,
	receiptTimes: 0n,
	segments: 0,
	costMicros: 0,
} as const;

/** Throws where the event is incomplete. */
export function countAccepted(event: MessagesAccepted): CountedMessages[] {
	const { organizationId, sums } = event;
	const channel = readChannel(event.channel);
	return sums.map(({ hour, dimensions, campaignId, messages, segments }) => {
		if (hour === undefined || dimensions === undefined)
			throw new Error("A sum of accepted messages has no hour or dimensions.");
		return {
			...NOTHING,
			organizationId,
			channel,
			hourMs: timestampMs(hour),
			dimensions,
			campaignId,
			accepted: messages,
			segments,
		};
	});
}

/** Why a message failed, by its end; undefined where it did not. */
export function reasonOf(outcome: MessageOutcome): string | undefined {
	return outcome.status === "failed"
		? outcome.errorCode || "unknown"
		: undefined;
}

/**
 * A message counts under the route that it was on last: one that was moved is no longer among those accepted for its
 * first. Throws where the event is incomplete.
 * @param slots of the reasons to fail, that of the outcome among them
 */
export function countEnd(
	outcome: MessageOutcome,
	slots: ReadonlyMap<string, number>,
): CountedMessages[] {
	const { organizationId, dimensions, campaignId, firstRoute } = outcome;
	if (dimensions === undefined) throw new Error("The end has no dimensions.");
	const channel = readChannel(outcome.channel);
	const hourMs = hourOfMessage(outcome.messageId);
	const counted = { organizationId, channel, hourMs, dimensions, campaignId };
	const ended: CountedMessages = {
		...NOTHING,
		...counted,
		...readEnd(outcome, slots),
		currency: outcome.currency,
		costMicros: Number(outcome.costMicros),
	};
	if (firstRoute === "") return [ended];
	const moved = (route: string, messages: 1 | -1): CountedMessages => ({
		...NOTHING,
		...counted,
		dimensions: { ...dimensions, route },
		accepted: messages,
		segments: messages * outcome.segments,
		only: "route",
	});
	return [ended, moved(firstRoute, -1), moved(dimensions.route, 1)];
}

/** Counts of different keys. Messages that are alike are added up before they are counted in each dimension. */
export function toCounts(messages: readonly CountedMessages[]): ReportCount[] {
	return addUp(addUp(messages, likenessOf).flatMap(spread), keyOf);
}

function addUp<A extends Amounts>(
	all: readonly A[],
	keyOf: (one: A) => string,
): A[] {
	const byKey = Map.groupBy(all, keyOf);
	return [...byKey.values()].map((same) => same.reduce(add));
}

function add<A extends Amounts>(a: A, b: A): A {
	return {
		...a,
		accepted: a.accepted + b.accepted,
		delivered: a.delivered + b.delivered,
		canceled: a.canceled + b.canceled,
		failures: a.failures + b.failures,
		receiptTimes: a.receiptTimes + b.receiptTimes,
		segments: a.segments + b.segments,
		costMicros: a.costMicros + b.costMicros,
	};
}

function likenessOf(messages: CountedMessages): string {
	const { organizationId, hourMs, dimensions, campaignId, only } = messages;
	const { country, prefix, route, sender, template } = dimensions;
	const { channel, currency } = messages;
	const told = [country, prefix, route, sender, template, campaignId, only];
	return JSON.stringify([organizationId, hourMs, ...told, channel, currency]);
}

function keyOf(count: ReportCount): string {
	const { organizationId, dimension, beginsAt, value } = count;
	const line = [organizationId, dimension, beginsAt.getTime(), value];
	return JSON.stringify([...line, count.channel, count.currency]);
}

function spread(messages: CountedMessages): ReportCount[] {
	const { hourMs, dimensions, campaignId, only, ...common } = messages;
	const { country, prefix, route, sender, template } = dimensions;
	const day = new Date(hourMs - (hourMs % DAY_MS));
	const values = Object.entries({
		country,
		prefix,
		route,
		sender,
		template,
		campaign: campaignId,
	} satisfies Record<Exclude<ReportDimension, "hour">, string>);
	const counts: ReportCount[] = [
		{ ...common, dimension: "hour", beginsAt: new Date(hourMs), value: "" },
		...values.map(([dimension, value]) => ({
			...common,
			dimension: dimension as ReportDimension,
			beginsAt: day,
			value,
		})),
	];
	return only === undefined
		? counts
		: counts.filter(({ dimension }) => dimension === only);
}

function receiptTime({ submittedAt, occurredAt }: MessageOutcome): bigint {
	if (submittedAt === undefined || occurredAt === undefined) return 0n;
	const ms = timestampMs(occurredAt) - timestampMs(submittedAt);
	return packedCount(bucketOf(ms / 1_000));
}

function readChannel(channel: string): ReportCount["channel"] {
	if (channel === "sms" || channel === "whatsapp") return channel;
	throw new Error("The event's channel is unknown.");
}

function readEnd(
	outcome: MessageOutcome,
	slots: ReadonlyMap<string, number>,
): Partial<Amounts> {
	switch (outcome.status) {
		case "delivered":
			return { delivered: 1, receiptTimes: receiptTime(outcome) };
		case "canceled":
			return { canceled: 1 };
		case "failed": {
			const slot = slots.get(reasonOf(outcome) ?? "");
			if (slot === undefined) throw new Error("The reason has no slot.");
			return { failures: packedCount(slot) };
		}
		default:
			throw new Error("The outcome's status is unknown.");
	}
}

/**
 * Days after its acceptance for which a message's end is counted, once. A message waits 30 days at most, and few are
 * unknown for longer than the rest.
 */
const COUNTED_DAYS = 120;
/** How much longer a mark is kept, days: clocks differ. */
const SLACK_DAYS = 2;

/** Acceptances and ends of messages with lower ids are not counted any more. */
export function lowestCounted(now: Date): string {
	return firstIdAt(new Date(now.getTime() - COUNTED_DAYS * DAY_MS));
}

/** Marks below this one tell of nothing that may be counted again. */
export function lowestMark(now: Date): string {
	const days = COUNTED_DAYS + SLACK_DAYS;
	return firstIdAt(new Date(now.getTime() - days * DAY_MS));
}
