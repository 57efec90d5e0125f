import { createClockGuard } from "@airtower/platform/database/clock-guard";
import type { Jobs } from "@airtower/platform/runtime/jobs";
import type { Context } from "../context.ts";
import type { CountsWatch } from "../counts-watch.ts";
import { findQuotaDrift } from "../store/quota.ts";
import { checkDebits } from "./check-debits.ts";
import { deleteExpired } from "./delete-expired.ts";
import { reconcileReservations } from "./reconcile-reservations.ts";
import { recordKeyUsage } from "./record-key-usage.ts";
import { reportDays } from "./report-days.ts";
import { rollUpLedger } from "./roll-up-ledger.ts";
import { sumLedger } from "./sum-ledger.ts";

/** Waits of the loops when they find nothing to do, ms. */
const RECONCILE_EVERY_MS = 5_000;
const CHECK_DEBITS_EVERY_MS = 5_000;
/** Between pages of 5,000 messages, ms: a scan of millions takes a few per cent of a core, and no more. */
const CHECK_DEBITS_LINGER_MS = 500;
const RECORD_KEY_USAGE_EVERY_MS = 5_000;
const MEASURE_QUOTA_EVERY_MS = 30_000;
/** What a report adds up by itself is what came since: ten thousand entries are 10 ms. */
const SUM_LEDGER_EVERY_MS = 10_000;
/** Between rounds of 50 organizations, each a commit, ms: where thousands send, it would never rest. */
const SUM_LEDGER_LINGER_MS = 1_000;
const REPORT_DAYS_EVERY_MS = 60_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
const ROLL_UP_EVERY_MS = 3_600_000;

export function startJobs(
	ctx: Context,
	jobs: Jobs,
	areCountsCurrent: CountsWatch,
): void {
	const whileClocksAgree = createClockGuard(ctx);
	jobs.start({
		name: "reconcile-reservations",
		intervalMs: RECONCILE_EVERY_MS,
		runOnce: () => reconcileReservations(ctx),
	});
	jobs.start({
		name: "check-debits",
		intervalMs: CHECK_DEBITS_EVERY_MS,
		lingerMs: CHECK_DEBITS_LINGER_MS,
		runOnce: () => checkDebits(ctx),
	});
	jobs.start({
		name: "record-key-usage",
		intervalMs: RECORD_KEY_USAGE_EVERY_MS,
		runOnce: () => recordKeyUsage(ctx),
	});
	jobs.start({
		name: "measure-quota",
		intervalMs: MEASURE_QUOTA_EVERY_MS,
		runOnce: async () => {
			ctx.telemetry.quotaDrift.set(await findQuotaDrift(ctx.sql));
			return 0;
		},
	});
	jobs.start({
		name: "sum-ledger",
		intervalMs: SUM_LEDGER_EVERY_MS,
		lingerMs: SUM_LEDGER_LINGER_MS,
		runOnce: () => sumLedger(ctx),
	});
	jobs.start({
		name: "report-days",
		intervalMs: REPORT_DAYS_EVERY_MS,
		runOnce: (signal) =>
			whileClocksAgree(async () =>
				(await areCountsCurrent()) ? reportDays(ctx, signal) : 0,
			),
	});
	jobs.start({
		name: "delete-expired",
		intervalMs: DELETE_EXPIRED_EVERY_MS,
		runOnce: () => whileClocksAgree(() => deleteExpired(ctx)),
	});
	jobs.start({
		name: "roll-up-ledger",
		intervalMs: ROLL_UP_EVERY_MS,
		runOnce: () => whileClocksAgree(() => rollUpLedger(ctx)),
	});
}
