import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { Context } from "../context.ts";
import { releaseReservations } from "../release-reservations.ts";
import {
	announceCutoff,
	findClosedBefore,
	findWatermark,
	type LedgerPosition,
	listUsage,
	moveWatermark,
	type UsagePosition,
} from "../store/reconciler-watermarks.ts";

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
	const watermark = await findWatermark(ctx.sql, CHANNEL);
	const page = await listClosed(ctx, watermark, cutoff);
	const last = page.at(-1);
	noteLag(ctx, page[0]);
	if (last === undefined) return 0;
	const missing = await findMissing(ctx, page);
	fault("accounts.reconciler_before_commit");
	const released = await transaction(ctx.sql, (sql) =>
		settle(sql, watermark, last, missing),
	);
	fault("accounts.reconciler_after_commit");
	report(ctx, released);
	return page.length;
}

/** Two statements on purpose: the second one's view of the ledger must be younger than the first's time. */
async function listClosed(
	ctx: Context,
	watermark: LedgerPosition,
	cutoff: Date,
): Promise<UsagePosition[]> {
	const before = await findClosedBefore(ctx.sql, cutoff);
	return listUsage(ctx.sql, CHANNEL, watermark, before, PAGE_SIZE);
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

async function settle(
	sql: Tx,
	from: LedgerPosition,
	to: LedgerPosition,
	missing: readonly UsagePosition[],
): Promise<number> {
	if (!(await moveWatermark(sql, CHANNEL, from, to))) return 0;
	return releaseReservations(
		sql,
		missing.map((entry) => ({ ...entry, note: NOTE })),
	);
}

function report(ctx: Context, released: number): void {
	if (released === 0) return;
	ctx.telemetry.releases.inc({ by: "reconciler" }, released);
	ctx.log.info({ released }, "reservations without a message given back");
}
