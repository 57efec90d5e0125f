import { randomUUID } from "node:crypto";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { timeOfId, uuidv7 } from "@airtower/platform/runtime/ids";
import type { DeliverySum } from "@airtower/proto/accounts/v1/account";
import {
	messageDimensions,
	messageOutcomeEvent,
	messagesAcceptedEvents,
	type ReportedMessage,
} from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";

/** A message as a test makes it up, and what became of it. */
export interface MadeMessage extends ReportedMessage {
	readonly channel: "sms" | "whatsapp";
	/** Undefined while nobody knows. */
	readonly end:
		| {
				readonly status: "delivered" | "failed" | "canceled";
				readonly reason: string;
				readonly route: string;
				readonly seconds: number;
				readonly costMicros: number;
				readonly currency: string;
		  }
		| undefined;
}

export const DAY_1_MS = Date.parse("2026-03-01T00:00:00Z");
const TWO_DAYS_MS = 2 * 86_400_000;
export const TWO_DAYS = twoDays(DAY_1_MS);
/** A clock of these days. */
export const clock = () => new Date(DAY_1_MS + TWO_DAYS_MS);

/** The time of a report. */
export function twoDays(fromMs: number) {
	return {
		dateFrom: timestampFromMs(fromMs),
		dateTo: timestampFromMs(fromMs + TWO_DAYS_MS),
	};
}

const CAMPAIGNS = [randomUUID(), randomUUID()];

const end = fc.record({
	status: fc.constantFrom("delivered", "failed", "canceled"),
	reason: fc.constantFrom("expired", "rejected"),
	route: fc.constantFrom("north", "south"),
	seconds: fc.constantFrom(1, 2, 30),
	costMicros: fc.constantFrom(0, 12_500),
	currency: fc.constantFrom("EUR", "USD"),
});

/** Messages of one organization over two days. */
export function madeMessages(organizationId: string, fromMs = DAY_1_MS) {
	const message = fc.record({
		channel: fc.constantFrom("sms", "whatsapp"),
		atMs: fc.integer({ min: 0, max: TWO_DAYS_MS - 1 }),
		recipient: fc.constantFrom("+33612345678", "+14155550123", "+442071838750"),
		sender: fc.constantFrom("Airtower", "Shop"),
		campaignId: fc.constantFrom(null, ...CAMPAIGNS),
		template: fc.constantFrom("welcome", null),
		segments: fc.integer({ min: 1, max: 3 }),
		end: fc.option(end, { nil: undefined }),
	});
	return fc.array(message, { minLength: 1, maxLength: 40 }).map((all) =>
		all.map(({ atMs, ...made }): MadeMessage => {
			const id = uuidv7(fromMs + atMs);
			const isSms = made.channel === "sms";
			return isSms
				? { ...made, id, organizationId, route: "north", template: null }
				: {
						...made,
						id,
						organizationId,
						route: "",
						campaignId: null,
						segments: 0,
						end: made.end && { ...made.end, route: "", costMicros: 0 },
					};
		}),
	);
}

/** What the services tell of these messages, stored together in batches of this size. */
export function eventsOf(
	messages: readonly MadeMessage[],
	batchSize: number,
): BusEvent[] {
	const accepted = (["sms", "whatsapp"] as const).flatMap((channel) => {
		const own = messages.filter((one) => one.channel === channel);
		const batches = own.flatMap((_, nth) =>
			nth % batchSize === 0 ? [own.slice(nth, nth + batchSize)] : [],
		);
		const topic =
			channel === "sms" ? topics.messagingAccepted : topics.whatsappAccepted;
		return batches.flatMap((batch) =>
			messagesAcceptedEvents(channel, batch).map((event) => ({
				id: uuidv7(timeOf(batch[0])),
				topic,
				...event,
			})),
		);
	});
	return [...accepted, ...messages.flatMap(endEvent)];
}

function timeOf(message: MadeMessage | undefined): number {
	return timeOfId(message?.id ?? "")?.getTime() ?? Number.NaN;
}

function endEvent(message: MadeMessage): BusEvent[] {
	const { id, channel, end, route } = message;
	if (end === undefined) return [];
	const submittedMs = timeOf(message) + 60_000;
	const isMoved = end.route !== route;
	const isPriced = end.costMicros > 0;
	const event = messageOutcomeEvent({
		messageId: id,
		organizationId: message.organizationId,
		channel,
		status: end.status,
		to: message.recipient,
		campaignId: message.campaignId ?? "",
		errorCode: end.status === "failed" ? end.reason : "",
		occurredAt: timestampFromMs(submittedMs + end.seconds * 1_000),
		dimensions: messageDimensions({ ...message, route: end.route }),
		firstRoute: isMoved ? route : "",
		segments: message.segments,
		submittedAt: timestampFromMs(submittedMs),
		costMicros: BigInt(end.costMicros),
		currency: isPriced ? end.currency : "",
	});
	const topic =
		channel === "sms" ? topics.messagingOutcome : topics.whatsappOutcome;
	return [{ id: uuidv7(submittedMs), topic, ...event }];
}

export const GROUPS = [
	"hour",
	"day",
	"country",
	"prefix",
	"route",
	"sender",
	"campaign",
	"template",
] as const;

function valueIn(message: MadeMessage, group: (typeof GROUPS)[number]): string {
	const time = new Date(timeOf(message)).toISOString();
	const country = { "+3": "FR", "+1": "US", "+4": "GB" }[
		message.recipient.slice(0, 2)
	];
	const digits = message.recipient.startsWith("+1") ? 5 : 6;
	return {
		hour: `${time.slice(0, 13)}:00:00Z`,
		day: time.slice(0, 10),
		country: country ?? "",
		prefix: message.recipient.slice(0, digits),
		route: message.end?.route ?? message.route,
		sender: message.sender,
		campaign: message.campaignId ?? "",
		template: message.template ?? "",
	}[group];
}

/** The lines of a report, counted from the messages, by value and channel. */
export function recount(
	messages: readonly MadeMessage[],
	group: (typeof GROUPS)[number],
) {
	const lines = Map.groupBy(
		messages,
		(one) => `${valueIn(one, group)} ${one.channel}`,
	);
	return Object.fromEntries(
		[...lines].toSorted().map(([key, own]) => {
			const withStatus = (status: string) =>
				own.filter(({ end }) => end?.status === status);
			const failed = withStatus("failed");
			const costs = own.flatMap(({ end }) =>
				end !== undefined && end.costMicros > 0 ? [end] : [],
			);
			return [
				key,
				{
					accepted: own.length,
					delivered: withStatus("delivered").length,
					failed: failed.length,
					canceled: withStatus("canceled").length,
					unknown: own.filter(({ end }) => end === undefined).length,
					segments: own.reduce((sum, { segments }) => sum + segments, 0),
					failures: sumBy(failed, ({ end }) => [end?.reason ?? "", 1]),
					costs: sumBy(costs, (end) => [end.currency, end.costMicros]),
				},
			];
		}),
	);
}

function sumBy<T>(
	items: readonly T[],
	read: (item: T) => [key: string, amount: number],
): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const item of items) {
		const [key, amount] = read(item);
		sums[key] = (sums[key] ?? 0) + amount;
	}
	return sums;
}

/** The same of a report. */
export function linesOf(sums: readonly DeliverySum[]) {
	return Object.fromEntries(
		sums
			.map((sum): [string, object] => [
				`${sum.value} ${sum.channel}`,
				{
					accepted: Number(sum.accepted),
					delivered: Number(sum.delivered),
					failed: Number(sum.failed),
					canceled: Number(sum.canceled),
					unknown: Number(sum.unknown),
					segments: Number(sum.segments),
					failures: Object.fromEntries(
						sum.failures.map((one) => [one.reason, Number(one.messages)]),
					),
					costs: Object.fromEntries(
						sum.costs.map((one) => [one.currency, Number(one.micros)]),
					),
				},
			])
			.toSorted(),
	);
}
