import type { Tx } from "@airtower/platform/database/database";
import type { StatusItem } from "../domain/callback-item.ts";
import { erasedId } from "../domain/erased-id.ts";
import type { MarketingPreference } from "../domain/marketing-preference.ts";
import { applyStatus } from "../domain/progress.ts";
import { MARKETING_STOPPED } from "../domain/provider-error.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import { deleteDispatch } from "../store/dispatch/dispatch.ts";
import {
	findByProviderIds,
	type LockedMessage,
	lockMessages,
} from "../store/message-changes.ts";
import { findNumberIds } from "../store/provider-numbers.ts";

interface StatusReport {
	readonly outcomes: readonly Outcome[];
	/** Users who had stopped marketing messages, as the failures of messages to them tell. */
	readonly stops: readonly MarketingPreference[];
	/** Statuses of messages that are not ours, or not known yet. */
	readonly unmatched: readonly StatusItem[];
}

interface Target {
	readonly item: StatusItem;
	/** The number that it is for, and those that had the provider's id before and were removed. */
	readonly phoneNumberIds: readonly string[];
	/** The echoed id first, then those found by the provider's. */
	readonly candidates: readonly string[];
}

/** Applies statuses in any order, each as often as it comes: a message has one outcome, once. */
export async function applyStatuses(
	sql: Tx,
	items: readonly StatusItem[],
): Promise<StatusReport> {
	if (items.length === 0) return { outcomes: [], stops: [], unmatched: [] };
	const targets = await findTargets(sql, items);
	const ids = new Set(targets.flatMap((target) => target.candidates));
	const locked = await lockMessages(sql, [...ids]);
	const messages = new Map(locked.map((message) => [message.id, message]));
	const matched = new Set<StatusItem>();
	const stops: MarketingPreference[] = [];
	for (const target of targets.toSorted(byTime)) {
		const message = findMessage(target, messages);
		if (message === undefined) continue;
		matched.add(target.item);
		stops.push(...toStop(target.item, message));
		messages.set(
			message.id,
			applyStatus(message, toKept(target.item, message)),
		);
	}
	const after = (before: LockedMessage) => messages.get(before.id) ?? before;
	const resolved = locked.filter((one) => one.status !== after(one).status);
	const resolvedIds = resolved.map(({ id }) => id);
	await deleteDispatch(sql, resolvedIds);
	return {
		outcomes: await recordProgress(sql, locked, after, "status"),
		stops,
		unmatched: items.filter((item) => !matched.has(item)),
	};
}

/** The provider's words may name a user who was erased, and no erasure would find the message again. */
function toKept(item: StatusItem, { recipient }: LockedMessage): StatusItem {
	return recipient === null ? { ...item, errorText: undefined } : item;
}

function toStop(
	{ errorCode, at }: StatusItem,
	{ phoneNumberId, recipient }: LockedMessage,
): MarketingPreference[] {
	return errorCode === MARKETING_STOPPED && recipient !== null
		? [{ phoneNumberId, recipient, isStopped: true, at }]
		: [];
}

async function findTargets(
	sql: Tx,
	items: readonly StatusItem[],
): Promise<Target[]> {
	const numbers = await findNumberIds(sql, items);
	const targets = items.map((item) => ({
		item,
		phoneNumberIds: numbers.get(item.providerPhoneNumberId) ?? [],
	}));
	const rows = await findByProviderIds(sql, targets.flatMap(toNames));
	const found = new Map(rows.map((row) => [keyOf(row), row.id]));
	return targets.map((target) => {
		const known = toNames(target).map((name) => found.get(keyOf(name)));
		const ids = [target.item.messageId, ...known];
		return { ...target, candidates: ids.filter((id) => id !== undefined) };
	});
}

/** What its message is known by, if it was sent from this number or that. */
function toNames({ item, phoneNumberIds }: Omit<Target, "candidates">) {
	return phoneNumberIds.flatMap((phoneNumberId) =>
		namesOf(item).map((providerMessageId) => ({
			phoneNumberId,
			providerMessageId,
		})),
	);
}

/** The provider's id, and what an erasure leaves of it. */
function namesOf({ providerMessageId }: StatusItem): string[] {
	return [providerMessageId, erasedId(providerMessageId)];
}

function keyOf(name: { phoneNumberId: string; providerMessageId: string }) {
	return `${name.phoneNumberId} ${name.providerMessageId}`;
}

function byTime(a: Target, b: Target): number {
	return a.item.at.getTime() - b.item.at.getTime();
}

/**
 * An echoed id counts only for a message of the number that the status is for, and only while no id of the provider's
 * is known of it: from then on that one must be named.
 */
function findMessage(
	{ item, candidates, phoneNumberIds }: Target,
	messages: ReadonlyMap<string, LockedMessage>,
): LockedMessage | undefined {
	return candidates
		.flatMap((id) => messages.get(id) ?? [])
		.find(
			(message) =>
				phoneNumberIds.includes(message.phoneNumberId) &&
				(message.providerMessageId === null ||
					namesOf(item).includes(message.providerMessageId)),
		);
}
