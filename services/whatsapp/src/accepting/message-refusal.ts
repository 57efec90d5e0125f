import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";

/** Reasons of this service's own for which it refuses a message, with their public fields and sentences. */
const MESSAGE_REFUSALS = {
	unknown_phone_number: [
		"phoneNumberId",
		"The organization has no WhatsApp number with this id.",
	],
	invalid_phone_number: [
		"to",
		"This is not a valid phone number; write it in international form, for example +33612345678.",
	],
	required: ["text.body", "The message has no text."],
	invalid_characters: [
		"text.body",
		"The text contains a NUL character or half of a surrogate pair.",
	],
	message_too_long: ["text.body", "A text has at most 4,096 characters."],
	too_long: [
		"clientReference",
		"A client reference has at most 128 characters.",
	],
	template_not_found: [
		"template.name",
		"The number has no template of this name and language.",
	],
	template_not_sendable: [
		"template.name",
		"The template cannot be sent now: it must be approved, enabled, of the category utility or authentication, " +
			"and take nothing but parameters of its body.",
	],
	template_category_mismatch: [
		"template.category",
		"The template is of another category.",
	],
	template_parameters_mismatch: [
		"template.parameters",
		"The parameters do not fit the template.",
	],
	service_window_closed: [
		"to",
		"A text can be sent within 24 hours of the recipient's last message; send a template instead.",
	],
} as const satisfies Record<string, readonly [field: string, message: string]>;

type MessageRefusal = keyof typeof MESSAGE_REFUSALS;

export type Refusal =
	| MessageRefusal
	| { reason: MessageRefusal; field?: string; message?: string };

export function messageRefusal(refusal: Refusal): ErrorDetail {
	const exact = typeof refusal === "string" ? { reason: refusal } : refusal;
	const [field, message] = MESSAGE_REFUSALS[exact.reason];
	return create(ErrorDetailSchema, { field, message, ...exact });
}
