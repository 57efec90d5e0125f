import { isUuid } from "@airtower/platform/runtime/ids";
import { refuse } from "@airtower/platform/work/batch";
import { isSenderIdValue } from "../domain/sender-id-value.ts";
import { messageRefusal } from "../errors.ts";
import type { SenderRow } from "../store/sender-ids.ts";
import type { CheckedMessage, SendItem } from "./check-messages.ts";
import type { SenderMemory } from "./sender-memory.ts";

export interface AddressedMessage extends CheckedMessage {
	readonly sender: SenderRow;
}

/** Finds the sender of each message, by one query at most; refuses those that may not send under theirs. */
export async function findSenders(
	memory: SenderMemory,
	messages: readonly CheckedMessage[],
): Promise<AddressedMessage[]> {
	if (messages.length === 0) return [];
	const rows = await memory.find(toWanted(messages));
	const senders = new Map(
		rows.flatMap((row) => namesOf(row).map((name) => [name, row])),
	);
	return messages.flatMap((message) => {
		const sender = chooseSender(message.item, senders);
		return sender === undefined ? [] : [{ ...message, sender }];
	});
}

function toWanted(messages: readonly CheckedMessage[]) {
	const byId = new Map<string, { organizationId: string; id: string }>();
	const byValue = new Map<string, { organizationId: string; value: string }>();
	const defaultsOf = new Set<string>();
	for (const { item } of messages) {
		const { organizationId, message } = item;
		const { senderId: id, senderName: value } = message;
		if (id === "" && value === "") defaultsOf.add(organizationId);
		if (isUuid(id)) byId.set(`${organizationId} ${id}`, { organizationId, id });
		if (isSenderIdValue(value))
			byValue.set(`${organizationId} ${value}`, { organizationId, value });
	}
	return {
		byId: [...byId.values()],
		byValue: [...byValue.values()],
		defaultsOf: [...defaultsOf],
	};
}

function namesOf({ organizationId, id, value, isDefault }: SenderRow) {
	const names = [
		`id ${organizationId} ${id}`,
		`value ${organizationId} ${value}`,
	];
	return isDefault ? [...names, `default ${organizationId}`] : names;
}

/** The approved sender that the message names, or undefined once it is refused. */
function chooseSender(
	item: SendItem,
	senders: ReadonlyMap<string, SenderRow>,
): SenderRow | undefined {
	const { organizationId, message } = item;
	const { senderId, senderName } = message;
	const isNamed = senderId !== "" || senderName !== "";
	const field =
		senderId === "" && senderName !== "" ? "senderName" : "senderId";
	const sender = senders.get(
		senderId !== ""
			? `id ${organizationId} ${senderId.toLowerCase()}`
			: senderName !== ""
				? `value ${organizationId} ${senderName}`
				: `default ${organizationId}`,
	);
	if (sender === undefined)
		refuse(
			item,
			messageRefusal(isNamed ? "unknown_sender" : "sender_required", field),
		);
	else if (senderName !== "" && sender.value !== senderName)
		refuse(item, messageRefusal("unknown_sender", "senderName"));
	else if (sender.status !== "approved")
		refuse(item, messageRefusal("sender_not_approved", field));
	else return sender;
	return undefined;
}
