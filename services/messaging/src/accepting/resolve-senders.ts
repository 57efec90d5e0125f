import { isUuid } from "@airtower/platform/runtime/ids";
import { refuse } from "@airtower/platform/work/batch";
import type { ErrorDetail } from "@airtower/proto/common/v1/error_detail";
import { isSenderIdValue } from "../domain/sender-id-value.ts";
import type { SenderRow, WantedSender } from "../store/senders/senders.ts";
import type { CheckedMessage, SendItem } from "./check-messages.ts";
import { messageRefusal } from "./message-refusal.ts";
import { type SenderMemory, senderKey } from "./sender-memory.ts";

export interface AddressedMessage extends CheckedMessage {
	readonly sender: SenderRow;
}

/** Finds the sender of each message, by one query at most; refuses those that may not send under theirs. */
export async function resolveSenders(
	memory: SenderMemory,
	messages: readonly CheckedMessage[],
): Promise<AddressedMessage[]> {
	const wanted = messages.map(({ item }) => toWanted(item));
	const senders = await memory.find(wanted.filter(mayExist));
	return messages.flatMap((message) => {
		const { item } = message;
		const sender = senders.get(senderKey(toWanted(item)));
		const refusal = refusalOf(item, sender);
		if (refusal !== undefined) refuse(item, refusal);
		return sender === undefined || refusal !== undefined
			? []
			: [{ ...message, sender }];
	});
}

function toWanted({ organizationId, message }: SendItem): WantedSender {
	const { senderId: id, senderName: value } = message;
	return { organizationId, id, value };
}

function mayExist({ id, value }: WantedSender): boolean {
	if (id) return isUuid(id);
	return !value || isSenderIdValue(value);
}

function refusalOf(
	{ message: { senderId, senderName } }: SendItem,
	sender: SenderRow | undefined,
): ErrorDetail | undefined {
	const isNamed = senderId !== "" || senderName !== "";
	const field =
		senderId === "" && senderName !== "" ? "senderName" : "senderId";
	if (sender === undefined)
		return messageRefusal(
			isNamed ? "unknown_sender" : "sender_required",
			field,
		);
	if (senderName !== "" && sender.value !== senderName)
		return messageRefusal("unknown_sender", "senderName");
	if (sender.status !== "approved")
		return messageRefusal("sender_not_approved", field);
	return undefined;
}
