import type { Tx } from "@airtower/platform/database/database";
import type { StatusItem } from "../domain/callback-item.ts";
import { advance, isFinished, type Progress } from "../domain/progress.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { deleteDispatch } from "../store/dispatch.ts";
import {
	type FinishedMessage,
	findByProviderIds,
	type LockedMessage,
	lockMessages,
	updateProgress,
} from "../store/messages.ts";
import { findNumbersOfProvider } from "../store/phone-numbers.ts";

export interface StatusReport {
	readonly finished: readonly FinishedMessage[];
	/** Statuses of messages that are not ours, or not known yet. */
	readonly unmatched: readonly StatusItem[];
}

/** Nothing of the provider is known of a message in these states. */
const UNHEARD: ReadonlySet<string> = new Set([
	"accepted",
	"submitting",
	"unknown",
]);

/** Applies statuses in any order, each as often as it comes: a message gives one outcome, once. */
export async function applyStatuses(
	sql: Tx,
	items: readonly StatusItem[],
): Promise<StatusReport> {
	if (items.length === 0) return { finished: [], unmatched: [] };
	const targets = await findTargets(sql, items);
	const ids = new Set([...targets.values()].flatMap((one) => one.candidates));
	const locked = await lockMessages(sql, [...ids]);
	const messages = new Map(locked.map((message) => [message.id, message]));
	const unmatched: StatusItem[] = [];
	const heard = new Map<string, LockedMessage>();
	for (const item of inOrder(items)) {
		const message = messageOf(targets.get(item), heard, messages);
		if (message === undefined) unmatched.push(item);
		else heard.set(message.id, { ...message, ...advance(message, item) });
	}
	const finished = await record(sql, messages, [...heard.values()]);
	return { finished, unmatched };
}

interface Target {
	readonly phoneNumberId: string;
	/** The echoed id first, then the one found by the provider's. */
	readonly candidates: readonly string[];
}

async function findTargets(
	sql: Tx,
	items: readonly StatusItem[],
): Promise<Map<StatusItem, Target>> {
	const rows = await findNumbersOfProvider(sql, [
		...new Set(items.map((item) => item.providerPhoneNumberId)),
	]);
	const numbers = new Map(
		rows.map((row) => [row.providerPhoneNumberId, row.id]),
	);
	const named = items.flatMap((item) => {
		const phoneNumberId = numbers.get(item.providerPhoneNumberId);
		return phoneNumberId === undefined ? [] : [{ item, phoneNumberId }];
	});
	const found = await findByProviderIds(
		sql,
		named.map(({ item, phoneNumberId }) => ({
			phoneNumberId,
			providerMessageId: item.providerMessageId,
		})),
	);
	const key = (phoneNumberId: string, id: string) => `${phoneNumberId} ${id}`;
	const byName = new Map(
		found.map((row) => [key(row.phoneNumberId, row.providerMessageId), row.id]),
	);
	return new Map(
		named.map(({ item, phoneNumberId }) => {
			const known = byName.get(key(phoneNumberId, item.providerMessageId));
			const candidates = [item.messageId, known].filter(
				(id) => id !== undefined,
			);
			return [item, { phoneNumberId, candidates }];
		}),
	);
}

function inOrder(items: readonly StatusItem[]): StatusItem[] {
	return [...items].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** An echoed id counts only for a message of the number that the status is for. */
function messageOf(
	target: Target | undefined,
	heard: ReadonlyMap<string, LockedMessage>,
	messages: ReadonlyMap<string, LockedMessage>,
): LockedMessage | undefined {
	for (const id of target?.candidates ?? []) {
		const message = heard.get(id) ?? messages.get(id);
		if (message?.phoneNumberId === target?.phoneNumberId) return message;
	}
	return undefined;
}

async function record(
	sql: Tx,
	before: ReadonlyMap<string, LockedMessage>,
	after: readonly LockedMessage[],
): Promise<FinishedMessage[]> {
	const changed = after.filter((message) =>
		hasChanged(before.get(message.id), message),
	);
	if (changed.length === 0) return [];
	await updateProgress(sql, changed);
	const taken = changed.filter(({ status }) => !UNHEARD.has(status));
	await deleteDispatch(
		sql,
		taken.map(({ id }) => id),
	);
	const finished = changed.flatMap((message) => {
		const old = before.get(message.id);
		const { finishedAt } = message;
		return old !== undefined && isFinished(old, message) && finishedAt !== null
			? [{ ...message, finishedAt }]
			: [];
	});
	await publishOutcomes(sql, finished);
	return finished;
}

function hasChanged(before: Progress | undefined, after: Progress): boolean {
	if (before === undefined) return false;
	return (Object.keys(after) as (keyof Progress)[]).some(
		(key) => String(before[key]) !== String(after[key]),
	);
}
