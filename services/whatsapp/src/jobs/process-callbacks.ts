import { isDataError, type Tx, transaction } from "@airtower/platform/database";
import { applyInbound } from "../callbacks/apply-inbound.ts";
import { applyStatuses } from "../callbacks/apply-statuses.ts";
import { applyTemplates } from "../callbacks/apply-templates.ts";
import type { WhatsappContext } from "../context.ts";
import { type CallbackItem, readCallback } from "../domain/callback.ts";
import {
	type CallbackEnd,
	claimCallbacks,
	endCallbacks,
	type StoredCallback,
} from "../store/callbacks.ts";
import type { FinishedMessage } from "../store/messages.ts";

/** Callbacks of one transaction. */
const BATCH = 100;
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

/** Applies stored callbacks, many in one transaction; answers how many. */
export async function processCallbacks(ctx: WhatsappContext): Promise<number> {
	try {
		return await processBatch(ctx, BATCH, applyTogether);
	} catch (error) {
		if (!isDataError(error)) throw error;
		ctx.log.warn({ err: error }, "callbacks are applied one by one");
		return processBatch(ctx, 1, applyApart);
	}
}

async function processBatch(
	ctx: WhatsappContext,
	limit: number,
	apply: Apply,
): Promise<number> {
	const { ends, finished } = await transaction(ctx.sql, async (sql) => {
		const open = (await claimCallbacks(sql, limit)).map(openCallback);
		const { finished, unmatched } = await apply(sql, open);
		const ends = open.map((one) => endOf(one, unmatched));
		if (ends.length > 0) await endCallbacks(sql, ends);
		return { ends, finished };
	});
	for (const { state } of ends) ctx.telemetry.callbacks.inc({ result: state });
	for (const { errorCode } of finished)
		ctx.telemetry.outcomes.inc({
			status: errorCode === null ? "delivered" : "failed",
		});
	if (finished.length > 0) ctx.poke.relay();
	return ends.length;
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
