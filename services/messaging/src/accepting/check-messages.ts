import { isUuid, timeOfId } from "@airtower/platform/runtime/ids";
import { type BatchItem, refuse } from "@airtower/platform/work/batch";
import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import type {
	MessageAccepted,
	SendMessage,
} from "@airtower/proto/messaging/v1/messaging";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { isLongerThan, isStorable } from "@airtower/proto/rules/plain-text";
import { countSegments } from "@airtower/proto/rules/segments";
import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Lane, toLane } from "../domain/lanes.ts";
import { isSendTime } from "../domain/send-time.ts";
import {
	ONE_TIME_PASSWORD,
	OPT_OUT_REPLY,
	REPLY_KEYS,
} from "../store/opt-outs/opt-outs.ts";

/** Unicode characters. */
const MAX_CHARACTERS = 1_600;
const MAX_SEGMENTS = 10;
const MAX_REFERENCE_LENGTH = 128;
/** Nothing is sent any more for a campaign that was made so long ago, ms. */
export const MAX_CAMPAIGN_AGE_MS = 2 * 365 * 24 * 3_600_000;

export type SendItem = BatchItem<SendMessage, MessageAccepted>;

export interface CheckedMessage {
	readonly item: SendItem;
	readonly recipient: string;
	readonly segments: number;
	readonly lane: Lane;
	/** When it is to be sent; null: at once. */
	readonly sendAt: Date | null;
}

type Checked = Omit<CheckedMessage, "item">;

export function checkMessages(
	items: readonly SendItem[],
	now: Date,
): CheckedMessage[] {
	return items.flatMap((item) => {
		const checked = check(item.message, now);
		if (typeof checked !== "string") return [{ item, ...checked }];
		refuse(item, messageRefusal(checked));
		return [];
	});
}

function check(message: SendMessage, now: Date): Checked | MessageRefusal {
	const { body, campaignId, clientReference } = message;
	if (campaignId !== "" && !isUuid(campaignId)) return "invalid_format";
	if (isOldCampaign(campaignId, now)) return "campaign_expired";
	const recipient = normalizePhoneNumber(message.to, message.defaultCountry);
	if (recipient === undefined) return "invalid_phone_number";
	if (body.trim() === "") return "required";
	if (isLongerThan(body, MAX_CHARACTERS)) return "message_too_long";
	if (!isStorable(body)) return "invalid_characters";
	const { segments } = countSegments(body);
	if (segments > MAX_SEGMENTS) return "message_too_long";
	if (isLongerThan(clientReference, MAX_REFERENCE_LENGTH)) return "too_long";
	if (!isStorable(clientReference)) return "invalid_characters";
	const lane = toLane(message.priority);
	if (lane === undefined) return "unknown_priority";
	if (!isKnownClass(message)) return "unknown_message_class";
	const sendAt = message.sendAt ? timestampDate(message.sendAt) : null;
	if (sendAt !== null && !isSendTime(sendAt, now)) return "invalid_send_at";
	return { recipient, segments, lane, sendAt };
}

/** The class of responses to words is our own, as are keys with a slash: no caller may give one. */
function isKnownClass({ messageClass, idempotency }: SendMessage): boolean {
	return messageClass === OPT_OUT_REPLY
		? idempotency?.key.startsWith(REPLY_KEYS) === true
		: ["", ONE_TIME_PASSWORD].includes(messageClass);
}

function isOldCampaign(campaignId: string, now: Date): boolean {
	const madeAt = timeOfId(campaignId)?.getTime() ?? Number.POSITIVE_INFINITY;
	return now.getTime() - madeAt > MAX_CAMPAIGN_AGE_MS;
}

/** Reasons of this service's own for which it refuses a message, with their public fields and sentences. */
const MESSAGE_REFUSALS = {
	invalid_format: ["campaignId", "The campaign id is not a UUID."],
	campaign_expired: [
		"campaignId",
		"The campaign is older than two years; nothing more is sent for it.",
	],
	invalid_phone_number: [
		"to",
		"This is not a valid phone number; write it in international form, for example +33612345678.",
	],
	recipient_opted_out: [
		"to",
		"This number has opted out of messages from this sender; GET /opt-outs tells when and how.",
	],
	no_route: ["to", "No operator is set up for this number."],
	required: ["message", "The message has no text."],
	invalid_characters: [
		"message",
		"The text holds a NUL character or half of a surrogate pair.",
	],
	message_too_long: [
		"message",
		"A message has at most 1,600 characters and 10 segments; shorten or divide it.",
	],
	too_long: [
		"clientReference",
		"A client reference has at most 128 characters.",
	],
	unknown_priority: ["priority", "A priority is otp, normal or bulk."],
	unknown_message_class: [
		"messageClass",
		"A message class is one_time_password, or absent.",
	],
	invalid_send_at: [
		"send_at",
		"The time must be in the future, within 30 days; leave it out to send at once.",
	],
	not_sent: [
		"idempotency",
		"No message was accepted under this key, and only such are asked for.",
	],
	sender_required: [
		"senderId",
		"Name a sender: the organization has no default sender ID.",
	],
	unknown_sender: ["senderId", "There is no such sender ID."],
	sender_not_approved: ["senderId", "This sender ID is not approved."],
} as const satisfies Record<string, readonly [field: string, message: string]>;

type MessageRefusal = keyof typeof MESSAGE_REFUSALS;

export function messageRefusal(
	reason: MessageRefusal,
	field: string = MESSAGE_REFUSALS[reason][0],
): ErrorDetail {
	const message = MESSAGE_REFUSALS[reason][1];
	return create(ErrorDetailSchema, { reason, field, message });
}
