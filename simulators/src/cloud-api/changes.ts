import type { PlannedStatus } from "./behaviour.ts";
import type { Change } from "./callback-poster.ts";
import type { AcceptedSend } from "./send-log.ts";

export interface ReceivedText {
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

function toMessagesChange(phoneNumberId: string, value: object): Change {
	return {
		field: "messages",
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
