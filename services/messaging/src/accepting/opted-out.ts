import type { Queryable } from "@airtower/platform/database/database";
import { refuse } from "@airtower/platform/work/batch";
import { findOptedOut } from "../store/opt-outs/opt-outs.ts";
import { messageRefusal } from "./check-messages.ts";
import type { AddressedMessage } from "./senders.ts";

/** Refuses messages that their recipients do not want, by one query. Who opts out later is looked for when they are sent. */
export async function refuseOptedOut(
	sql: Queryable,
	messages: readonly AddressedMessage[],
): Promise<readonly AddressedMessage[]> {
	const optedOut = await findOptedOut(
		sql,
		messages.map(({ item, recipient, sender }) => ({
			organizationId: item.organizationId,
			recipient,
			sender: sender.value,
			messageClass: item.message.messageClass,
		})),
	);
	return messages.filter(({ item }, index) => {
		if (!optedOut.has(index)) return true;
		refuse(item, messageRefusal("recipient_opted_out"));
		return false;
	});
}
