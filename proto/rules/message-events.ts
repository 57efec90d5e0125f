import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "../gen/airtower/common/v1/message_outcome_pb.ts";
import {
	type AcceptedMessagesSchema,
	MessagesAcceptedSchema,
} from "../gen/airtower/common/v1/messages_accepted_pb.ts";
import { findCallingCode, findCountry } from "./phone-number.ts";

const HOUR_MS = 3_600_000;
/** Digits after the calling code: an operator or a town, a thousand numbers and more. */
const PREFIX_DIGITS = 3;

/** A message as reports see it. */
export interface ReportedMessage {
	readonly organizationId: string;
	/** UUIDv7: the message counts in the hour of the time in it. */
	readonly id: string;
	/** E.164 with "+". */
	readonly recipient: string;
	/** Empty for WhatsApp. */
	readonly route: string;
	readonly sender: string;
	/** Null when none. */
	readonly template: string | null;
	/** Null for single sends. */
	readonly campaignId: string | null;
	/** 0 for WhatsApp. */
	readonly segments: number;
}

/** What reports tell a message apart by. Says of the recipient no more than its first digits. */
export function messageDimensions({
	recipient,
	route,
	sender,
	template,
}: Pick<ReportedMessage, "recipient" | "route" | "sender" | "template">) {
	const codeLength = findCallingCode(recipient).length;
	return {
		country: findCountry(recipient) ?? "",
		prefix: recipient.slice(0, codeLength + PREFIX_DIGITS),
		route,
		sender,
		template: template ?? "",
	};
}

/** The beginning of the hour of UTC in which a UUIDv7 was made, ms since 1970. */
export function hourOfMessage(id: string): number {
	const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
	return time - (time % HOUR_MS);
}

/** What the bus is told of messages that are stored together: an event for each organization. */
export function messagesAcceptedEvents(
	channel: "sms" | "whatsapp",
	messages: readonly ReportedMessage[],
) {
	const byOrganization = Map.groupBy(
		messages,
		({ organizationId }) => organizationId,
	);
	return [...byOrganization].map(([organizationId, own]) => {
		const accepted = create(MessagesAcceptedSchema, {
			organizationId,
			channel,
			sums: addUp(own),
		});
		const payload = toBinary(MessagesAcceptedSchema, accepted);
		return {
			type: "messages_accepted",
			key: organizationId,
			organizationId,
			payload,
		};
	});
}

type Sum = MessageInitShape<typeof AcceptedMessagesSchema>;

function addUp(messages: readonly ReportedMessage[]): Sum[] {
	const sums = new Map<string, Sum & { messages: number; segments: number }>();
	for (const message of messages) {
		const dimensions = messageDimensions(message);
		const campaignId = message.campaignId ?? "";
		const hourMs = hourOfMessage(message.id);
		const key = JSON.stringify([hourMs, campaignId, dimensions]);
		const sum = sums.get(key) ?? {
			hour: timestampFromMs(hourMs),
			dimensions,
			campaignId,
			messages: 0,
			segments: 0,
		};
		sums.set(key, sum);
		sum.messages++;
		sum.segments += message.segments;
	}
	return [...sums.values()];
}

type Outcome = MessageInitShape<typeof MessageOutcomeSchema> &
	Pick<MessageOutcome, "messageId" | "organizationId">;

/** What the event of a message's end says, whichever service publishes it. */
export function messageOutcomeEvent(outcome: Outcome) {
	const { messageId: key, organizationId } = outcome;
	const message = create(MessageOutcomeSchema, outcome);
	const payload = toBinary(MessageOutcomeSchema, message);
	return { type: "message_outcome", key, organizationId, payload };
}
