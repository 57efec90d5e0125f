import { isUuid, timeOfId } from "@airtower/platform/runtime/ids";
import { type BatchItem, refuse } from "@airtower/platform/work/batch";
import type {
	MessageAccepted,
	SendMessage,
} from "@airtower/proto/messaging/v1/messaging";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { countSegments } from "@airtower/proto/rules/segments";
import { isStorable } from "@airtower/proto/rules/storable-text";
import { isLongerThan } from "@airtower/proto/rules/text-length";
import { type MessageRefusal, messageRefusal } from "./message-refusal.ts";

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
}

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

function check(
	message: SendMessage,
	now: Date,
): Pick<CheckedMessage, "recipient" | "segments"> | MessageRefusal {
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
	return { recipient, segments };
}

function isOldCampaign(campaignId: string, now: Date): boolean {
	const madeAt = timeOfId(campaignId)?.getTime() ?? Number.POSITIVE_INFINITY;
	return now.getTime() - madeAt > MAX_CAMPAIGN_AGE_MS;
}
