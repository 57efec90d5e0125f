import { isUuid } from "@airtower/platform/runtime/ids";
import { type BatchItem, refuse } from "@airtower/platform/work/batch";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { isLongerThan, isStorable } from "@airtower/proto/rules/plain-text";
import type {
	SendWhatsAppMessage,
	WhatsAppAccepted,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { currentNumber } from "../domain/user-number.ts";
import { messageRefusal, type Refusal } from "./message-refusal.ts";

const MAX_CHARACTERS = 4_096;
const MAX_REFERENCE_LENGTH = 128;

export type SendItem = BatchItem<SendWhatsAppMessage, WhatsAppAccepted>;

export interface CheckedMessage {
	readonly item: SendItem;
	/** E.164 with "+". */
	readonly recipient: string;
	readonly phoneNumberId: string;
}

/** Checks what each message says by itself; refuses those that are not in order, for the first reason. */
export function checkMessages(items: readonly SendItem[]): CheckedMessage[] {
	return items.flatMap((item) => {
		const checked = check(item.message);
		if (typeof checked !== "string" && "recipient" in checked)
			return [{ item, ...checked }];
		refuse(item, messageRefusal(checked));
		return [];
	});
}

function check(
	message: SendWhatsAppMessage,
): Omit<CheckedMessage, "item"> | Refusal {
	const given = normalizePhoneNumber(message.to, message.defaultCountry);
	if (given === undefined) return "invalid_phone_number";
	const refusal = checkContent(message) ?? checkReference(message);
	if (refusal !== undefined) return refusal;
	if (!isUuid(message.phoneNumberId)) return "unknown_phone_number";
	return {
		// The same number as the conversation of a user who writes has.
		recipient: currentNumber(given),
		phoneNumberId: message.phoneNumberId.toLowerCase(),
	};
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
