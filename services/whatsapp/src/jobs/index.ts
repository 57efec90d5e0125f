import { setTimeout as delay } from "node:timers/promises";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { endLease, keepLease } from "@airtower/platform/work/lease";
import type { Context } from "../context.ts";
import { LEASE_MS, takeOver } from "../dispatching/take-over.ts";
import { closeWindows } from "./close-windows.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dispatchMessages } from "./dispatch-messages.ts";
import { expireMessages } from "./expire-messages.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { pollTemplates } from "./poll-templates.ts";
import { createCallbackJob } from "./process-callbacks.ts";
import { rescueDispatch } from "./rescue-dispatch.ts";

/** Pauses of the loops when they find nothing to do, ms. */
const DISPATCH_EVERY_MS = 250;
const CALLBACKS_EVERY_MS = 500;
const RESCUE_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 1_000;
const POLL_EVERY_MS = 1_000;
const CLOSE_WINDOWS_EVERY_MS = 30_000;
const DELETE_EVERY_MS = 60_000;
const MEASURE_EVERY_MS = 5_000;
/** Longest wait for attempts in flight at a graceful stop, ms; what is submitted then is unknown. */
const STOP_WAIT_MS = 15_000;

export interface RunningJobs {
	/** Ends the loops, then waits for the submits under way to be settled. */
	close(): Promise<void>;
}

/** Starts every loop of the service and lets the context wake them. */
export function startJobs(
	ctx: Context,
	bus: EventBus,
	metrics: Metrics,
): RunningJobs {
	const stop = new AbortController();
	const { signal } = stop;
	const { sql, log } = ctx;
	const start = (
		name: string,
		intervalMs: number,
		job: (ctx: Context) => Promise<number>,
	): Loop =>
		runLoop({ name, intervalMs, signal, log, runOnce: () => job(ctx) });
	const dispatch = start("dispatch", DISPATCH_EVERY_MS, dispatchMessages);
	const callbacks = start("callbacks", CALLBACKS_EVERY_MS, createCallbackJob());
	const templates = start("poll-templates", POLL_EVERY_MS, pollTemplates);
	const relay = startRelay({ sql, bus, log, metrics, signal });
	Object.assign(ctx.wake, {
		dispatch: dispatch.wake,
		callbacks: callbacks.wake,
		templates: templates.wake,
		relay: relay.wake,
	});
	const loops = [
		dispatch,
		callbacks,
		templates,
		start("rescue-dispatch", RESCUE_EVERY_MS, rescueDispatch),
		start("expire-messages", EXPIRE_EVERY_MS, expireMessages),
		start("close-windows", CLOSE_WINDOWS_EVERY_MS, closeWindows),
		start("delete-expired", DELETE_EVERY_MS, deleteExpired),
		start("measure-dispatch", MEASURE_EVERY_MS, measureDispatch),
	];
	const leaseEnd = new AbortController();
	const heartbeat = keepLease(ctx.dispatcher.lease, LEASE_MS, {
		log,
		signal: leaseEnd.signal,
	});
	return {
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await settled(ctx);
			leaseEnd.abort();
			await heartbeat.done;
			await endLease(sql, ctx.dispatcher.lease, (sql, tokens) =>
				takeOver(ctx, sql, tokens),
			);
			await relay.done;
		},
	};
}

async function settled({ dispatcher }: Context): Promise<void> {
	const timer = new AbortController();
	await Promise.race([
		Promise.all(dispatcher.inFlight.values()),
		delay(STOP_WAIT_MS, undefined, { signal: timer.signal }).catch(() => {}),
	]);
	timer.abort();
}
