import { setTimeout as delay } from "node:timers/promises";
import { runLoop } from "@airtower/platform/runtime/loop";
import type { WebhooksContext } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { deliverDue } from "./deliver.ts";
import { disableEndpoints } from "./disable-endpoints.ts";
import { endAbandoned } from "./end-abandoned.ts";
import { rescueDeliveries } from "./rescue-deliveries.ts";

/** Pauses of the loops when they find nothing to do, ms. */
const DELIVER_EVERY_MS = 250;
const RESCUE_EVERY_MS = 1_000;
const END_ABANDONED_EVERY_MS = 5_000;
const DISABLE_EVERY_MS = 60_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
/** Longest wait for attempts under way at a graceful stop, ms; their leases cover the rest. */
const STOP_WAIT_MS = 8_000;

export interface RunningJobs {
	/** Ends the loops, then waits for the attempts under way to be settled. */
	close(): Promise<void>;
}

/** Starts every loop of the service. */
export function startJobs(ctx: WebhooksContext): RunningJobs {
	const stop = new AbortController();
	const { signal } = stop;
	const start = (
		name: string,
		intervalMs: number,
		runOnce: (ctx: WebhooksContext) => Promise<number>,
	) =>
		runLoop({
			name,
			intervalMs,
			signal,
			log: ctx.log,
			runOnce: () => runOnce(ctx),
		});
	const sender = start("deliver", DELIVER_EVERY_MS, deliverDue);
	const loops = [
		sender,
		start("rescue-deliveries", RESCUE_EVERY_MS, rescueDeliveries),
		start("end-abandoned", END_ABANDONED_EVERY_MS, endAbandoned),
		start("disable-endpoints", DISABLE_EVERY_MS, disableEndpoints),
		start("delete-expired", DELETE_EXPIRED_EVERY_MS, deleteExpired),
	];
	ctx.wakeSender = sender.wake;
	return {
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await landed(ctx);
		},
	};
}

async function landed(ctx: WebhooksContext): Promise<void> {
	const timer = new AbortController();
	await Promise.race([
		Promise.all(ctx.flights),
		delay(STOP_WAIT_MS, undefined, { signal: timer.signal }).catch(() => {}),
	]);
	timer.abort();
}
