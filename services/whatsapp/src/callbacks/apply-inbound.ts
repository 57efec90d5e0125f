import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { InboundItem } from "../domain/callback-item.ts";
import { userNumber } from "../domain/user-number.ts";
import { lockConversation, openWindow } from "../store/conversations.ts";
import { insertInbound } from "../store/messages.ts";
import { findNumbersOfProvider } from "../store/phone-numbers.ts";

/**
 * Stores messages of users, each once, and opens or extends their windows. Conversations are locked
 * in one order, so that two batches cannot deadlock. Returns those for numbers that are not ours.
 */
export async function applyInbound(
	sql: Tx,
	items: readonly InboundItem[],
): Promise<InboundItem[]> {
	if (items.length === 0) return [];
	const rows = await findNumbersOfProvider(sql, [
		...new Set(items.map((item) => item.providerPhoneNumberId)),
	]);
	const numbers = new Map(rows.map((row) => [row.providerPhoneNumberId, row]));
	const unmatched: InboundItem[] = [];
	for (const item of inLockOrder(items)) {
		const number = numbers.get(item.providerPhoneNumberId);
		if (number === undefined) unmatched.push(item);
		else await applyOne(sql, item, number.organizationId, number.id);
	}
	return unmatched;
}

function inLockOrder(items: readonly InboundItem[]): InboundItem[] {
	const key = ({ providerPhoneNumberId, waId, userId }: InboundItem) =>
		`${providerPhoneNumberId} ${waId ?? ""} ${userId ?? ""}`;
	return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function applyOne(
	sql: Tx,
	item: InboundItem,
	organizationId: string,
	phoneNumberId: string,
): Promise<void> {
	const recipient = item.waId === undefined ? null : userNumber(item.waId);
	const isNew = await insertInbound(sql, {
		id: uuidv7(),
		...{ organizationId, phoneNumberId, recipient },
		providerMessageId: item.providerMessageId,
	});
	if (!isNew) return;
	const user = {
		...{ organizationId, phoneNumberId, recipient },
		waId: item.waId ?? null,
		userId: item.userId ?? null,
	};
	const id = await lockConversation(sql, user);
	await openWindow(sql, id, user, item.at);
}
