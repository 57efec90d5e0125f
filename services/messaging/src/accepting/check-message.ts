import { isUuid } from "@airtower/platform/runtime/ids";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { countSegments } from "@airtower/proto/rules/segments";
import { isLongerThan } from "@airtower/proto/rules/text-length";
import type { MessageRefusal } from "../errors.ts";
import type { Candidate, CheckedCandidate } from "./candidates.ts";

/** Longest text, Unicode characters. */
const MAX_CHARACTERS = 1_600;
const MAX_SEGMENTS = 10;
/** Longest client reference, Unicode characters. */
const MAX_REFERENCE_LENGTH = 128;

/** Checks what a message says by itself; answers the first reason to refuse it. */
export function checkMessage(
	candidate: Candidate,
): CheckedCandidate | MessageRefusal {
	const { message } = candidate;
	const { body, campaignId, clientReference } = message;
	if (campaignId !== "" && !isUuid(campaignId)) return "invalid_format";
	const recipient = normalizePhoneNumber(message.to, message.defaultCountry);
	if (recipient === undefined) return "invalid_phone_number";
	if (body === "") return "required";
	if (isLongerThan(body, MAX_CHARACTERS)) return "message_too_long";
	if (!isStorable(body)) return "invalid_characters";
	const { segments } = countSegments(body);
	if (segments > MAX_SEGMENTS) return "message_too_long";
	if (isLongerThan(clientReference, MAX_REFERENCE_LENGTH)) return "too_long";
	if (!isStorable(clientReference)) return "invalid_characters";
	return { ...candidate, recipient, segments };
}

function isStorable(text: string): boolean {
	return !text.includes("\0") && text.isWellFormed();
}
