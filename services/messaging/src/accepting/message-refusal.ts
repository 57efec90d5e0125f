import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";

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
	sender_required: [
		"senderId",
		"Name a sender: the organization has no default sender ID.",
	],
	unknown_sender: ["senderId", "There is no such sender ID."],
	sender_not_approved: ["senderId", "This sender ID is not approved."],
} as const satisfies Record<string, readonly [field: string, message: string]>;

export type MessageRefusal = keyof typeof MESSAGE_REFUSALS;

export function messageRefusal(
	reason: MessageRefusal,
	field: string = MESSAGE_REFUSALS[reason][0],
): ErrorDetail {
	const message = MESSAGE_REFUSALS[reason][1];
	return create(ErrorDetailSchema, { reason, field, message });
}
