import { runLoop } from "@airtower/platform/runtime/loop";
import type { AccountsContext } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { reconcileReservations } from "./reconcile-reservations.ts";
import { recordKeyUsage } from "./record-key-usage.ts";

/** Pauses of the loops when they find nothing to do, ms. */
const RECONCILE_EVERY_MS = 5_000;
const RECORD_KEY_USAGE_EVERY_MS = 5_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;

export interface RunningJobs {
	/** Ends the loops and writes what is left in memory. */
	close(): Promise<void>;
}

/** Starts every loop of the service. */
export function startJobs(ctx: AccountsContext): RunningJobs {
	const stop = new AbortController();
	const start = (
		name: string,
		intervalMs: number,
		runOnce: (ctx: AccountsContext) => Promise<number>,
	) =>
		runLoop({
			name,
			intervalMs,
			signal: stop.signal,
			log: ctx.log,
			runOnce: () => runOnce(ctx),
		});
	const loops = [
		start("reconcile-reservations", RECONCILE_EVERY_MS, reconcileReservations),
		start("record-key-usage", RECORD_KEY_USAGE_EVERY_MS, recordKeyUsage),
		start("delete-expired", DELETE_EXPIRED_EVERY_MS, deleteExpired),
	];
	return {
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await recordKeyUsage(ctx);
		},
	};
}
