import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log.ts";
import type { Db } from "./database.ts";

interface ClockGuardOptions {
	readonly sql: Db;
	readonly clock: Clock;
	readonly log: Logger;
	/** A clock that never goes back, ms. */
	readonly monotonicMs?: () => number;
}

/** Runs a job that deletes by age, or ends a day, only while the clocks can be believed; returns 0 otherwise. */
type ClockGuard = (run: () => Promise<number>) => Promise<number>;

/** Further apart, or further ahead than time has passed, a clock is wrong, ms. */
const MAX_GAP_MS = 3_600_000;

/**
 * A clock that stands months ahead would delete all that is kept for months. Nothing is deleted while the process's
 * clock and the database's differ, nor once one of them has stepped ahead since this process began: a person must
 * look.
 */
export function createClockGuard({
	sql,
	clock,
	log,
	monotonicMs = () => performance.now(),
}: ClockGuardOptions): ClockGuard {
	let first: { readonly own: number; readonly at: number } | undefined;

	async function findFault(): Promise<string | undefined> {
		const own = clock().getTime();
		const at = monotonicMs();
		const [row] = await sql<[{ now: number }]>`
			select extract(epoch from clock_timestamp())::float8 * 1000 as now
		`;
		first ??= { own, at };
		const stepMs = own - first.own - (at - first.at);
		if (Math.abs(own - row.now) > MAX_GAP_MS)
			return "the process's clock and the database's differ";
		return stepMs > MAX_GAP_MS
			? "the clock has stepped ahead; if it is right now, restart the process"
			: undefined;
	}

	return async (run) => {
		const fault = await findFault();
		if (fault === undefined) return run();
		log.error(
			{ fault },
			"nothing is deleted by age while a clock may be wrong",
		);
		return 0;
	};
}
