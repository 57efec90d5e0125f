import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type {
	CallbackItem,
	InboundItem,
	PreferenceItem,
	TemplateItem,
} from "../domain/callback-item.ts";
import type { MarketingPreference } from "../domain/marketing-preference.ts";
import { userNumber } from "../domain/user-number.ts";
import { recordPreferences } from "../record-preferences.ts";
import type { Outcome } from "../record-progress.ts";
import { makeAccountDue } from "../store/accounts.ts";
import { lockConversation } from "../store/conversations.ts";
import { insertInbound } from "../store/new-messages.ts";
import {
	findNumbersOfProvider,
	isFor,
	type ProviderNumber,
} from "../store/provider-numbers.ts";
import { applyTemplateItem } from "../store/template-changes.ts";
import { openWindow } from "../store/windows.ts";
import { applyStatuses } from "./apply-statuses.ts";

export interface Applied {
	readonly outcomes: readonly Outcome[];
	/** Events of users who stopped marketing messages, or resumed them. */
	readonly changedPreferences: number;
	readonly unmatched: readonly CallbackItem[];
}

/** Applies what callbacks say; each item may come in any order and more than once. */
export async function applyItems(
	sql: Tx,
	items: readonly CallbackItem[],
): Promise<Applied> {
	const statuses = items.filter((item) => item.kind === "status");
	const inbound = items.filter((item) => item.kind === "inbound");
	const templates = items.filter((item) => item.kind === "template");
	const preferences = items.filter((item) => item.kind === "preference");
	const { outcomes, stops, unmatched } = await applyStatuses(sql, statuses);
	const unmatchedInbound = await applyInbound(sql, inbound);
	await applyTemplates(sql, templates);
	const said = await findPreferences(sql, preferences);
	const changedPreferences = await recordPreferences(sql, [
		...stops,
		...said.preferences,
	]);
	return {
		outcomes,
		changedPreferences,
		unmatched: [...unmatched, ...unmatchedInbound, ...said.unmatched],
	};
}

/** Those of numbers that are ours, and the others. */
async function findPreferences(sql: Tx, items: readonly PreferenceItem[]) {
	const preferences: MarketingPreference[] = [];
	const unmatched: PreferenceItem[] = [];
	const numbers = await findNumbersOfProvider(sql, items);
	for (const item of items) {
		const number = numbers.get(item.providerPhoneNumberId);
		if (isFor(number, item.at))
			preferences.push({ ...item, phoneNumberId: number.id });
		else unmatched.push(item);
	}
	return { preferences, unmatched };
}

/**
 * Applies what the provider says of templates. Of one that is not known, or has been approved, perhaps with other
 * places than before, the whole account is read anew: a callback does not tell its text.
 */
async function applyTemplates(
	sql: Tx,
	items: readonly TemplateItem[],
): Promise<void> {
	for (const item of items) {
		const known = await applyTemplateItem(sql, item);
		if (known === 0 || item.status === "approved")
			await makeAccountDue(sql, item.providerAccountId);
	}
}

/** Stores messages of users, each once, and opens their windows; returns those for numbers that are not ours. */
async function applyInbound(
	sql: Tx,
	items: readonly InboundItem[],
): Promise<InboundItem[]> {
	if (items.length === 0) return [];
	const numbers = await findNumbersOfProvider(sql, items);
	const unmatched: InboundItem[] = [];
	for (const item of inLockOrder(items)) {
		const number = numbers.get(item.providerPhoneNumberId);
		if (isFor(number, item.at)) await applyOne(sql, item, number);
		else unmatched.push(item);
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
