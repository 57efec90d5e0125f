import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { InboundItem } from "../domain/callback-item.ts";
import { userNumber } from "../domain/user-number.ts";
import { lockConversation } from "../store/conversations.ts";
import { insertInbound } from "../store/new-messages.ts";
import {
	findNumbersOfProvider,
	type ProviderNumber,
} from "../store/provider-numbers.ts";
import { openWindow } from "../store/windows.ts";

/** Stores messages of users, each once, and opens their windows; returns those for numbers that are not ours. */
export async function applyInbound(
	sql: Tx,
	items: readonly InboundItem[],
): Promise<InboundItem[]> {
	if (items.length === 0) return [];
	const numbers = await findNumbersOfProvider(sql, items);
	const unmatched: InboundItem[] = [];
	for (const item of inLockOrder(items)) {
		const number = numbers.get(item.providerPhoneNumberId);
		if (number === undefined || number.isRemoved) unmatched.push(item);
		else await applyOne(sql, item, number);
	}
	return unmatched;
}

/** Two batches that lock in one order cannot deadlock. */
function inLockOrder(items: readonly InboundItem[]): InboundItem[] {
	const key = ({ providerPhoneNumberId, waId, userId }: InboundItem) =>
		`${providerPhoneNumberId} ${waId ?? ""} ${userId ?? ""}`;
	return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function applyOne(
	sql: Tx,
	item: InboundItem,
	{ id: phoneNumberId, organizationId }: ProviderNumber,
): Promise<void> {
	const { waId = null, userId = null, providerMessageId } = item;
	const recipient = waId === null ? null : userNumber(waId);
	const user = { organizationId, phoneNumberId, recipient, waId, userId };
	const message = { ...user, id: uuidv7(), providerMessageId };
	if (!(await insertInbound(sql, message))) return;
	const id = await lockConversation(sql, user);
	await openWindow(sql, id, user, item.at);
}
