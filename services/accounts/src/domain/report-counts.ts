import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { MessageOutcome } from "@airtower/proto/common/v1/message_outcome";
import type {
	MessageDimensions,
	MessagesAccepted,
} from "@airtower/proto/common/v1/messages_accepted";
import { hourOfMessage } from "@airtower/proto/rules/message-events";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { BUCKETS, bucketOf } from "./receipt-times.ts";

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
	readonly result: "accepted" | "delivered" | "failed" | "canceled";
	/** Why they failed, empty otherwise. */
	readonly reason: string;
	/** Of the cost, empty where none is known. */
	readonly currency: string;
}

export interface ReportCount extends CountKey {
	readonly organizationId: string;
	readonly dimension: ReportDimension;
	/** Beginning of the hour, or of the day where the dimension is another. */
	readonly beginsAt: Date;
	readonly messages: number;
	/** Of accepted messages; 0 otherwise. */
	readonly segments: number;
	readonly costMicros: number;
	/** By bucket; null where nothing was delivered. */
	readonly receiptTimes: readonly number[] | null;
}

/** Messages of one hour, as a report tells them from others. */
interface CountedMessages
	extends Pick<ReportCount, "organizationId" | "channel"> {
	readonly hourMs: number;
	readonly dimensions: MessageDimensions;
	readonly campaignId: string;
}

type Amounts = Omit<
	ReportCount,
	keyof CountedMessages | "dimension" | "beginsAt" | "value"
>;

const NOTHING = {
	reason: "",
	currency: "",
	segments: 0,
	costMicros: 0,
	receiptTimes: null,
} as const;

/** Throws where the event is incomplete. */
export function countAccepted(event: MessagesAccepted): ReportCount[] {
	const { organizationId, sums } = event;
	const channel = readChannel(event.channel);
	return sums.flatMap(
		({ hour, dimensions, campaignId, messages, segments }) => {
			if (hour === undefined || dimensions === undefined)
				throw new Error(
					"A sum of accepted messages has no hour or dimensions.",
				);
			const hourMs = timestampMs(hour);
			return spread(
				{ organizationId, channel, hourMs, dimensions, campaignId },
				{ ...NOTHING, result: "accepted", messages, segments },
			);
		},
	);
}

/**
 * A message counts under the route that it was on last: one that was moved is no longer among those accepted for its
 * first. Throws where the event is incomplete.
 */
export function countEnd(outcome: MessageOutcome): ReportCount[] {
	const { organizationId, dimensions, campaignId, firstRoute } = outcome;
	if (dimensions === undefined) throw new Error("The end has no dimensions.");
	const channel = readChannel(outcome.channel);
	const hourMs = hourOfMessage(outcome.messageId);
	const counted = { organizationId, channel, hourMs, dimensions, campaignId };
	const result = readResult(outcome.status);
	const ended = spread(counted, {
		...NOTHING,
		result,
		reason: result === "failed" ? outcome.errorCode || "unknown" : "",
		currency: outcome.currency,
		costMicros: Number(outcome.costMicros),
		messages: 1,
		receiptTimes: result === "delivered" ? receiptTimes(outcome) : null,
	});
	if (firstRoute === "") return ended;
	const moved = (route: string, messages: 1 | -1) =>
		spread(
			{ ...counted, dimensions: { ...dimensions, route } },
			{
				...NOTHING,
				result: "accepted",
				messages,
				segments: messages * outcome.segments,
			},
		).filter(({ dimension }) => dimension === "route");
	return [...ended, ...moved(firstRoute, -1), ...moved(dimensions.route, 1)];
}

/** Counts of different keys: those of one key are added up. */
export function addUp(counts: readonly ReportCount[]): ReportCount[] {
	const sums = new Map<string, ReportCount>();
	for (const count of counts) {
		const key = keyOf(count);
		const sum = sums.get(key);
		sums.set(key, sum === undefined ? count : add(sum, count));
	}
	return [...sums.values()];
}

function add(a: ReportCount, b: ReportCount): ReportCount {
	return {
		...a,
		messages: a.messages + b.messages,
		segments: a.segments + b.segments,
		costMicros: a.costMicros + b.costMicros,
		receiptTimes:
			a.receiptTimes?.map((n, bucket) => n + (b.receiptTimes?.[bucket] ?? 0)) ??
			null,
	};
}

function keyOf(count: ReportCount): string {
	const { organizationId, dimension, beginsAt, value } = count;
	const { channel, result, reason, currency } = count;
	const line = [organizationId, dimension, beginsAt.getTime(), value];
	return JSON.stringify([...line, channel, result, reason, currency]);
}

function spread(counted: CountedMessages, amounts: Amounts): ReportCount[] {
	const { hourMs, dimensions, campaignId, ...rest } = counted;
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
	const common = { ...rest, ...amounts };
	return [
		{ ...common, dimension: "hour", beginsAt: new Date(hourMs), value: "" },
		...values.map(([dimension, value]) => ({
			...common,
			dimension: dimension as ReportDimension,
			beginsAt: day,
			value,
		})),
	];
}

function receiptTimes({ submittedAt, occurredAt }: MessageOutcome): number[] {
	const counts = Array.from({ length: BUCKETS }, () => 0);
	if (submittedAt === undefined || occurredAt === undefined) return counts;
	const ms = timestampMs(occurredAt) - timestampMs(submittedAt);
	counts[bucketOf(ms / 1_000)] = 1;
	return counts;
}

function readChannel(channel: string): ReportCount["channel"] {
	if (channel === "sms" || channel === "whatsapp") return channel;
	throw new Error("The event's channel is unknown.");
}

function readResult(status: string): "delivered" | "failed" | "canceled" {
	if (status === "delivered" || status === "failed" || status === "canceled")
		return status;
	throw new Error("The outcome's status is unknown.");
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
