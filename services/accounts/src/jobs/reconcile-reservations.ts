import type { RowKey } from "@airtower/platform/database/page";
import { fault } from "@airtower/platform/runtime/fault";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import { advanceScan } from "@airtower/platform/work/resumable-scan";
import type { Context } from "../context.ts";
import { releaseReservations } from "../release-reservations.ts";
import {
	announceCutoff,
	findClosedBefore,
	listUsage,
	type UsagePosition,
} from "../store/closed-ledger.ts";

/** Reservations settled in one round: what one look-up in messaging takes. */
const PAGE_SIZE = 5_000;
const LOOKUP_TIMEOUT_MS = 10_000;
/** The channel whose messages messaging stores: it would call every other one's missing. */
const CHANNEL = "sms";
const NOTE = "The message was never stored.";

/**
 * Gives back reservations whose message does not exist, and returns how many it settled. Throws, having changed
 * nothing, while messaging is down or cannot tell because a commit is overdue.
 */
export async function reconcileReservations(ctx: Context): Promise<number> {
	ctx.cutoffs.add(await announceCutoff(ctx.sql, CHANNEL, ctx.clock()));
	const cutoff = ctx.cutoffs.findOlderThan(ctx.reconcileAfterMs);
	if (cutoff === undefined) return 0;
	const step = await advanceScan(ctx.sql, {
		name: `reservations/${CHANNEL}`,
		findPage: (after) => findPage(ctx, parsePosition(after), cutoff),
		work: (sql, { missing }) =>
			releaseReservations(
				sql,
				missing.map((entry) => ({ ...entry, note: NOTE })),
			),
	});
	if (step === undefined) return 0;
	fault("accounts.reconciler_after_commit");
	report(ctx, step.done);
	return step.page.entries.length;
}

async function findPage(ctx: Context, after: RowKey, cutoff: Date) {
	const entries = await listClosed(ctx, after, cutoff);
	noteLag(ctx, entries[0]);
	const last = entries.at(-1);
	if (last === undefined) return undefined;
	const missing = await findMissing(ctx, entries);
	fault("accounts.reconciler_before_commit");
	return { entries, missing, end: formatPosition(last) };
}

/** Two statements on purpose: the second one's view of the ledger must be younger than the first's time. */
async function listClosed(
	ctx: Context,
	after: RowKey,
	cutoff: Date,
): Promise<UsagePosition[]> {
	const before = await findClosedBefore(ctx.sql, cutoff);
	return listUsage(ctx.sql, CHANNEL, after, before, PAGE_SIZE);
}

function noteLag(ctx: Context, oldest: UsagePosition | undefined): void {
	const now = ctx.clock().getTime();
	const since = oldest?.createdAt.getTime() ?? now;
	ctx.telemetry.reconcilerLagSeconds.set(Math.max(0, now - since) / 1_000);
}

async function findMissing(
	ctx: Context,
	page: readonly UsagePosition[],
): Promise<UsagePosition[]> {
	const messageIds = page.map((entry) => entry.messageId);
	const response = await ctx.messaging.listMissingMessages(
		{ messageIds },
		{ timeoutMs: LOOKUP_TIMEOUT_MS },
	);
	const missing = new Set(response.missingMessageIds);
	return page.filter((entry) => missing.has(entry.messageId));
}

function parsePosition(text: string): RowKey {
	const [createdAt = "", id = LOWEST_ID] = text.split(" ");
	return { createdAt: new Date(createdAt || 0), id };
}

function formatPosition({ createdAt, id }: RowKey): string {
	return `${createdAt.toISOString()} ${id}`;
}

function report(ctx: Context, released: number): void {
	if (released === 0) return;
	ctx.telemetry.releases.inc({ by: "reconciler" }, released);
	ctx.log.info({ released }, "reservations without a message given back");
}
