import { isUuid } from "@airtower/platform/runtime/ids";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { isLongerThan } from "@airtower/proto/rules/text-length";
import type { SendWhatsAppMessage } from "@airtower/proto/whatsapp/v1/whatsapp";
import { isStorable } from "../domain/template-parameters.ts";
import { currentNumber } from "../domain/user-number.ts";
import type { ExactRefusal, MessageRefusal } from "../errors.ts";
import type { Candidate, CheckedCandidate } from "./candidates.ts";

/** Longest text, Unicode characters. */
const MAX_CHARACTERS = 4_096;
/** Longest client reference, Unicode characters. */
const MAX_REFERENCE_LENGTH = 128;

type Refusal = MessageRefusal | ExactRefusal;

/** Checks what a message says by itself; answers the first reason to refuse it. */
export function checkMessage(candidate: Candidate): CheckedCandidate | Refusal {
	const { message } = candidate;
	const given = normalizePhoneNumber(message.to, message.defaultCountry);
	if (given === undefined) return "invalid_phone_number";
	// The same number as the conversation of a user who writes has.
	const recipient = currentNumber(given);
	const refusal = checkContent(message) ?? checkReference(message);
	if (refusal !== undefined) return refusal;
	if (!isUuid(message.phoneNumberId)) return "unknown_phone_number";
	const phoneNumberId = message.phoneNumberId.toLowerCase();
	return { ...candidate, recipient, phoneNumberId };
}

function checkContent({ content }: SendWhatsAppMessage): Refusal | undefined {
	if (content.case === "text") return checkText(content.value.body);
	if (content.case === "template") {
		const { name, language } = content.value;
		return isStorable(name + language) ? undefined : "template_not_found";
	}
	return {
		reason: "required",
		field: "type",
		message: "A message is a template or a text.",
	};
}

function checkText(body: string): Refusal | undefined {
	if (isLongerThan(body, MAX_CHARACTERS)) return "message_too_long";
	if (body.trim() === "") return "required";
	return isStorable(body) ? undefined : "invalid_characters";
}

function checkReference({
	clientReference,
}: SendWhatsAppMessage): Refusal | undefined {
	if (isLongerThan(clientReference, MAX_REFERENCE_LENGTH)) return "too_long";
	return isStorable(clientReference)
		? undefined
		: { reason: "invalid_characters", field: "clientReference" };
}
