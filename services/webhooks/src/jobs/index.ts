import { setTimeout as delay } from "node:timers/promises";
import { runLoop } from "@airtower/platform/runtime/loop";
import { keepLease } from "@airtower/platform/work/lease";
import type { Context } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { deliver } from "./deliver.ts";
import { disableEndpoints } from "./disable-endpoints.ts";
import { endAbandoned } from "./end-abandoned.ts";
import { findDue } from "./find-due.ts";
import { rescueDeliveries } from "./rescue-deliveries.ts";

/** Waits of the loops when they find nothing to do, ms. */
const DELIVER_EVERY_MS = 250;
const FIND_DUE_EVERY_MS = 500;
const RESCUE_EVERY_MS = 1_000;
const END_ABANDONED_EVERY_MS = 5_000;
const DISABLE_EVERY_MS = 60_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
/** Claims begin at least so far apart, ms: a few slots that come free together are claimed together. */
const DELIVER_LINGER_MS = 10;
/**
 * How long a silent process keeps its claims, ms: longer than an attempt with its settling, and short,
 * because a crash delays its deliveries by as much.
 */
export const LEASE_MS = 15_000;
/** Longest wait for attempts in flight at a graceful stop, ms; the end of the lease frees the rest. */
const STOP_WAIT_MS = 8_000;

export interface RunningJobs {
	wakeSender(): void;
	/** Ends the loops, then waits for the attempts in flight to be settled. */
	close(): Promise<void>;
}

/** Starts every loop of the service. */
export function startJobs(ctx: Context): RunningJobs {
	const stop = new AbortController();
	const { signal } = stop;
	const { log } = ctx;
	const start = (
		name: string,
		intervalMs: number,
		runOnce: (ctx: Context) => Promise<number>,
		lingerMs?: number,
	) =>
		runLoop({
			...{ name, intervalMs, lingerMs, signal, log },
			runOnce: () => runOnce(ctx),
		});
	const sender = start("deliver", DELIVER_EVERY_MS, deliver, DELIVER_LINGER_MS);
	const loops = [
		sender,
		start("find-due", FIND_DUE_EVERY_MS, findDue),
		keepLease(ctx.lease, LEASE_MS, { signal, log }),
		start("rescue-deliveries", RESCUE_EVERY_MS, rescueDeliveries),
		start("end-abandoned", END_ABANDONED_EVERY_MS, endAbandoned),
		start("disable-endpoints", DISABLE_EVERY_MS, disableEndpoints),
		start("delete-expired", DELETE_EXPIRED_EVERY_MS, deleteExpired),
	];
	return {
		wakeSender: sender.wake,
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await attemptsSettled(ctx);
		},
	};
}

async function attemptsSettled(ctx: Context): Promise<void> {
	const timer = new AbortController();
	await Promise.race([
		ctx.attempts.settled(),
		delay(STOP_WAIT_MS, undefined, { signal: timer.signal }).catch(() => {}),
	]);
	timer.abort();
}
