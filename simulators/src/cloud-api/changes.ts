import type { PlannedStatus } from "./behaviour.ts";
import type { Change } from "./callback-poster.ts";
import type { AcceptedSend } from "./send-log.ts";

interface ReceivedText {
	readonly id: string;
	readonly phoneNumberId: string;
	/** Digits; undefined for a user who hides the number. */
	readonly from: string | undefined;
	readonly userId: string | undefined;
	readonly text: string;
	readonly timestamp: number;
}

const TITLES: Readonly<Record<number, string>> = {
	131026: "Message undeliverable",
	131047: "Re-engagement message",
	131050: "User has stopped receiving marketing messages",
};

export function toStatusChange(
	send: AcceptedSend,
	{ status, errorCode }: PlannedStatus,
	category: string,
): Change {
	return toMessagesChange(send.phoneNumberId, {
		statuses: [
			{
				id: send.id,
				status,
				timestamp: String(Math.floor(Date.now() / 1_000)),
				recipient_id: send.to,
				...(send.opaque !== "" && { biz_opaque_callback_data: send.opaque }),
				...(errorCode === undefined
					? { pricing: { billable: true, pricing_model: "PMP", category } }
					: { errors: [toError(errorCode)] }),
			},
		],
	});
}

function toError(code: number): object {
	const title = TITLES[code] ?? "Message failed";
	return { code, title, message: title, error_data: { details: title } };
}

export function toInboundChange(message: ReceivedText): Change {
	const { id, from, userId, text } = message;
	return toMessagesChange(message.phoneNumberId, {
		contacts: [
			{
				profile: { name: "Sandbox User" },
				...(from !== undefined && { wa_id: from }),
				...(userId !== undefined && { user_id: userId }),
			},
		],
		messages: [
			{
				...(from !== undefined && { from }),
				...(userId !== undefined && { from_user_id: userId }),
				id,
				timestamp: String(message.timestamp),
				type: "text",
				text: { body: text },
			},
		],
	});
}

export interface UserPreference {
	readonly phoneNumberId: string;
	/** Digits. */
	readonly from: string;
	readonly value: "stop" | "resume";
	/** Unix seconds. */
	readonly timestamp: number;
}

/** The webhook of a user who stops marketing messages, or resumes them. */
export function toPreferenceChange(preference: UserPreference): Change {
	const { phoneNumberId, from: wa_id, value, timestamp } = preference;
	return toNumberChange("user_preferences", phoneNumberId, {
		contacts: [{ profile: { name: "Sandbox User" }, wa_id }],
		user_preferences: [
			{
				wa_id,
				detail: `User requested to ${value} marketing messages`,
				category: "marketing_messages",
				value,
				timestamp,
			},
		],
	});
}

function toMessagesChange(phoneNumberId: string, value: object): Change {
	return toNumberChange("messages", phoneNumberId, value);
}

function toNumberChange(
	field: string,
	phoneNumberId: string,
	value: object,
): Change {
	return {
		field,
		value: {
			messaging_product: "whatsapp",
			metadata: {
				display_phone_number: "15550000000",
				phone_number_id: phoneNumberId,
			},
			...value,
		},
	};
}
