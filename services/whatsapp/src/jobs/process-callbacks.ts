import { type Tx, transaction } from "@airtower/platform/database/database";
import { isDataError } from "@airtower/platform/database/sql-errors";
import { inHalves } from "@airtower/platform/work/micro-batcher";
import { type Applied, applyItems } from "../callbacks/apply-items.ts";
import type { Context } from "../context.ts";
import type { CallbackItem } from "../domain/callback-item.ts";
import { readCallback } from "../domain/read-callback.ts";
import type { Outcome } from "../record-progress.ts";
import {
	type CallbackEnd,
	claimCallbacks,
	endCallbacks,
	type StoredCallback,
} from "../store/callbacks.ts";

const MAX_CALLBACKS = 100;
/** Most items of one transaction: it must end within its 10 s, also on a slow database. */
const MAX_ITEMS = 500;
/** Pauses before a callback about something unknown is tried again, ms; after the last one it is kept as it is. */
const UNMATCHED_DELAYS_MS = [5_000, 60_000, 600_000];
const UNMATCHED = "about something unknown";
const REFUSED = "refused by the database";
const MAX_NOTE_LENGTH = 500;

interface OpenCallback {
	readonly stored: StoredCallback;
	readonly items: readonly CallbackItem[];
	readonly problems: readonly string[];
}

interface Processed {
	readonly ends: readonly CallbackEnd[];
	readonly outcomes: readonly Outcome[];
	readonly changedPreferences: number;
}

/** After a failure it takes half as many items at a time; one at a time where the database refused a value. */
export function createCallbackJob(): (ctx: Context) => Promise<number> {
	let maxItems = MAX_ITEMS;
	return async (ctx) => {
		try {
			const count = await processCallbacks(ctx, maxItems);
			maxItems = Math.min(maxItems * 2, MAX_ITEMS);
			return count;
		} catch (error) {
			maxItems = isDataError(error) ? 1 : Math.ceil(maxItems / 2);
			throw error;
		}
	};
}

/** Applies stored callbacks, many in one transaction of at most `maxItems`; returns how many. */
export async function processCallbacks(
	ctx: Context,
	maxItems = MAX_ITEMS,
): Promise<number> {
	const limit = Math.min(MAX_CALLBACKS, maxItems);
	const result = await transaction(ctx.sql, async (sql) => {
		const claimed = (await claimCallbacks(sql, limit)).map(openCallback);
		const [first] = claimed;
		if (first !== undefined && first.items.length >= maxItems) return first;
		const open = firstOf(claimed, maxItems);
		const items = open.flatMap((one) => one.items);
		return end(sql, open, await applyItems(sql, items));
	});
	const { ends, outcomes, changedPreferences } =
		"ends" in result ? result : await processLarge(ctx, result, maxItems);
	for (const { state } of ends) ctx.telemetry.callbacks.inc({ result: state });
	for (const status of outcomes) ctx.telemetry.outcomes.inc({ status });
	if (outcomes.length + changedPreferences > 0) ctx.wakeRelay();
	return ends.length;
}

/** Applies a callback in several transactions: what a crash between them repeats changes nothing. */
async function processLarge(
	{ sql }: Context,
	large: OpenCallback,
	maxItems: number,
): Promise<Processed> {
	const outcomes: Outcome[] = [];
	const unmatched: CallbackItem[] = [];
	const problems = [...large.problems];
	let changedPreferences = 0;
	for (let from = 0; from < large.items.length; from += maxItems) {
		const items = large.items.slice(from, from + maxItems);
		await inHalves(items, async (some) => {
			try {
				const applied = await transaction(sql, (sql) => applyItems(sql, some));
				outcomes.push(...applied.outcomes);
				unmatched.push(...applied.unmatched);
				changedPreferences += applied.changedPreferences;
			} catch (error) {
				if (!isDataError(error)) throw error;
				if (some.length > 1) return undefined;
				problems.push(REFUSED);
			}
			return some;
		});
	}
	return transaction(sql, (sql) =>
		end(sql, [{ ...large, problems }], {
			outcomes,
			unmatched,
			changedPreferences,
		}),
	);
}

async function end(
	sql: Tx,
	open: readonly OpenCallback[],
	{ outcomes, unmatched, changedPreferences }: Applied,
): Promise<Processed> {
	const unknown = new Set(unmatched);
	const ends = open.map((one) => endOf(one, unknown));
	if (ends.length > 0) await endCallbacks(sql, ends);
	return { ends, outcomes, changedPreferences };
}

function firstOf(
	claimed: readonly OpenCallback[],
	maxItems: number,
): OpenCallback[] {
	let items = 0;
	return claimed.filter((one) => {
		items += one.items.length;
		return items <= maxItems;
	});
}

function openCallback(stored: StoredCallback): OpenCallback {
	return { stored, ...readCallback(stored.body, stored.receivedAt) };
}

function endOf(
	{ stored, items, problems }: OpenCallback,
	unmatched: ReadonlySet<CallbackItem>,
): CallbackEnd {
	const isMatched = !items.some((item) => unmatched.has(item));
	const all = isMatched ? problems : [...problems, UNMATCHED];
	const note = [...new Set(all)].join("; ").slice(0, MAX_NOTE_LENGTH);
	const delayMs = isMatched ? undefined : UNMATCHED_DELAYS_MS[stored.tries];
	if (delayMs !== undefined)
		return { id: stored.id, state: "stored", delayMs, note };
	const state = all.length === 0 ? "processed" : "kept";
	return { id: stored.id, state, delayMs: 0, note };
}
