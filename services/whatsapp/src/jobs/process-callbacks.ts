import {
	isDataError,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import { applyInbound } from "../callbacks/apply-inbound.ts";
import { applyStatuses } from "../callbacks/apply-statuses.ts";
import { applyTemplates } from "../callbacks/apply-templates.ts";
import type { Context } from "../context.ts";
import type { CallbackItem } from "../domain/callback-item.ts";
import { readCallback } from "../domain/read-callback.ts";
import {
	type CallbackEnd,
	claimCallbacks,
	endCallbacks,
	type StoredCallback,
} from "../store/callbacks.ts";
import type { FinishedMessage } from "../store/messages.ts";

/** Most callbacks of one transaction. */
const MAX_CALLBACKS = 100;
/** Most items of one transaction: it must end within its 10 s, also on a slow database. */
const MAX_ITEMS = 500;
/** Pauses before what matches nothing is tried again, ms; then it is kept as it is. */
const UNMATCHED_DELAYS_MS = [5_000, 60_000, 600_000];
const UNMATCHED = "about something unknown";
const REFUSED = "refused by the database";
/** Longest note, characters. */
const MAX_NOTE_LENGTH = 500;

interface OpenCallback {
	readonly stored: StoredCallback;
	readonly items: readonly CallbackItem[];
	readonly problems: string[];
}

interface Applied {
	readonly finished: readonly FinishedMessage[];
	readonly unmatched: ReadonlySet<CallbackItem>;
}

type Apply = (sql: Tx, open: readonly OpenCallback[]) => Promise<Applied>;

interface Processed {
	readonly ends: readonly CallbackEnd[];
	readonly finished: readonly FinishedMessage[];
}

/**
 * The job that applies stored callbacks. After a failure it takes half as many items at a time, down to a
 * single one: a batch that the database cannot do in time is not tried again as it is.
 */
export function createCallbackJob(): (ctx: Context) => Promise<number> {
	let maxItems = MAX_ITEMS;
	return async (ctx) => {
		try {
			const done = await processCallbacks(ctx, maxItems);
			maxItems = Math.min(maxItems * 2, MAX_ITEMS);
			return done;
		} catch (error) {
			maxItems = Math.ceil(maxItems / 2);
			throw error;
		}
	};
}

/** Applies stored callbacks, many in one transaction of at most `maxItems`; answers how many. */
export async function processCallbacks(
	ctx: Context,
	maxItems = MAX_ITEMS,
): Promise<number> {
	try {
		return await processBatch(ctx, MAX_CALLBACKS, maxItems, applyTogether);
	} catch (error) {
		if (!isDataError(error)) throw error;
		ctx.log.warn({ err: error }, "callbacks are applied one by one");
		return processBatch(ctx, 1, maxItems, applyApart);
	}
}

async function processBatch(
	ctx: Context,
	maxCallbacks: number,
	maxItems: number,
	apply: Apply,
): Promise<number> {
	const limit = Math.min(maxCallbacks, maxItems);
	const result = await transaction(ctx.sql, async (sql) => {
		const claimed = (await claimCallbacks(sql, limit)).map(openCallback);
		const [first] = claimed;
		if (first !== undefined && first.items.length > maxItems) return first;
		const open = firstOf(claimed, maxItems);
		return end(sql, open, await apply(sql, open));
	});
	const { ends, finished } =
		"ends" in result
			? result
			: await processLarge(ctx, result, maxItems, apply);
	for (const { state } of ends) ctx.telemetry.callbacks.inc({ result: state });
	for (const { errorCode } of finished)
		ctx.telemetry.outcomes.inc({
			status: errorCode === null ? "delivered" : "failed",
		});
	if (finished.length > 0) ctx.poke.relay();
	return ends.length;
}

/**
 * Applies a callback of more items than one transaction bears in several. A crash between them, or another
 * process beside, applies items twice, which changes nothing.
 */
async function processLarge(
	ctx: Context,
	large: OpenCallback,
	maxItems: number,
	apply: Apply,
): Promise<Processed> {
	const finished: FinishedMessage[] = [];
	const unmatched = new Set<CallbackItem>();
	for (let from = 0; from < large.items.length; from += maxItems) {
		const items = large.items.slice(from, from + maxItems);
		const applied = await transaction(ctx.sql, (sql) =>
			apply(sql, [{ ...large, items }]),
		);
		finished.push(...applied.finished);
		for (const one of applied.unmatched) unmatched.add(one);
	}
	return transaction(ctx.sql, (sql) =>
		end(sql, [large], { finished, unmatched }),
	);
}

async function end(
	sql: Tx,
	open: readonly OpenCallback[],
	{ finished, unmatched }: Applied,
): Promise<Processed> {
	const ends = open.map((one) => endOf(one, unmatched));
	if (ends.length > 0) await endCallbacks(sql, ends);
	return { ends, finished };
}

/** The first callbacks that have no more than so many items together. */
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
	const { items, problems } = readCallback(stored.body, stored.receivedAt);
	return { stored, items, problems: [...problems] };
}

async function applyTogether(
	sql: Tx,
	open: readonly OpenCallback[],
): Promise<Applied> {
	return applyItems(
		sql,
		open.flatMap((one) => one.items),
	);
}

async function applyItems(
	sql: Tx,
	items: readonly CallbackItem[],
): Promise<Applied> {
	const statuses = items.filter((item) => item.kind === "status");
	const inbound = items.filter((item) => item.kind === "inbound");
	const templates = items.filter((item) => item.kind === "template");
	const { finished, unmatched } = await applyStatuses(sql, statuses);
	const strange = await applyInbound(sql, inbound);
	await applyTemplates(sql, templates);
	return { finished, unmatched: new Set([...unmatched, ...strange]) };
}

/** Each item under a savepoint of its own: one that the database refuses is named, and its neighbours stay. */
async function applyApart(
	sql: Tx,
	open: readonly OpenCallback[],
): Promise<Applied> {
	const finished: FinishedMessage[] = [];
	const unmatched = new Set<CallbackItem>();
	for (const { items, problems } of open)
		for (const item of items) {
			try {
				const applied = await sql.savepoint((sql) => applyItems(sql, [item]));
				finished.push(...applied.finished);
				for (const one of applied.unmatched) unmatched.add(one);
			} catch (error) {
				if (!isDataError(error)) throw error;
				problems.push(REFUSED);
			}
		}
	return { finished, unmatched };
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
