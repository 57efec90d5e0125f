import type { DeliveryContext, Dispatcher } from "../../context.ts";
import { ILLNESSES } from "../../domain/route-health.ts";
import {
	countWorkByRoute,
	type RouteWork,
} from "../../store/dispatch/dispatch-counts.ts";

/** A route that is down for so long is told of while messages wait for it, and again each time so long after, ms. */
const WARN_EVERY_MS = 60_000;

interface Outage {
	/** Times of `performance.now()`. */
	readonly since: number;
	toldAt: number;
	isTold: boolean;
}

/** Returns a round that says which routes are down while messages wait for them, since when and until when. */
export function createRouteWarnings(everyMs = WARN_EVERY_MS) {
	const outages = new Map<string, Outage>();

	/** Begins, tells the end of, or leaves an outage; returns it where it is to be told of. */
	function follow(
		ctx: DeliveryContext,
		{ operator, watch }: Dispatcher,
	): Outage | undefined {
		const { code } = operator;
		const now = performance.now();
		const outage = outages.get(code);
		if (operator.status().bound && watch.opinion.reason === null) {
			outages.delete(code);
			if (outage?.isTold) tellOfEnd(ctx, code, now - outage.since);
			return undefined;
		}
		if (outage === undefined)
			outages.set(code, { since: now, toldAt: now, isTold: false });
		else if (now - outage.toldAt >= everyMs) return outage;
		return undefined;
	}

	return async (ctx: DeliveryContext): Promise<number> => {
		const codes = new Set(ctx.dispatchers.map((one) => one.operator.code));
		// One that was removed while it was down may be added again.
		for (const code of outages.keys())
			if (!codes.has(code)) outages.delete(code);
		const due = ctx.dispatchers.flatMap((dispatcher) => {
			const outage = follow(ctx, dispatcher);
			return outage === undefined ? [] : [{ dispatcher, outage }];
		});
		if (due.length === 0) return 0;
		// It reads all that waits: once, however many routes are down.
		const work = await countWorkByRoute(ctx.sql);
		for (const { dispatcher, outage } of due) {
			outage.toldAt = performance.now();
			const isTold = tell(ctx, dispatcher, work, outage);
			outage.isTold ||= isTold;
		}
		return 0;
	};
}

function tell(
	{ log }: DeliveryContext,
	{ operator, watch }: Dispatcher,
	work: readonly RouteWork[],
	{ since, toldAt }: Outage,
): boolean {
	const { code: route } = operator;
	const { bound, bindsWanted, nextTryAt, ...status } = operator.status();
	const { reason } = watch.opinion;
	const isIll = bound && reason !== null;
	const lastError = isIll ? ILLNESSES[reason] : status.lastError;
	const waiting = work.find((one) => one.route === route)?.queued ?? 0;
	// Where another process has all connections of the route, it is that one that tells.
	if (waiting === 0 || bindsWanted === 0) return false;
	const downS = seconds(toldAt - since);
	log.error(
		{ route, downS, waiting, nextTryAt, lastError },
		`route ${route} is down for ${downS} s and ${waiting} messages wait: ${lastError ?? "not bound yet"}; next try ${nextTryAt?.toISOString() ?? "now"}`,
	);
	return true;
}

function tellOfEnd({ log }: DeliveryContext, route: string, downMs: number) {
	log.info(
		{ route, downS: seconds(downMs) },
		`route ${route} is up again after ${seconds(downMs)} s`,
	);
}

const seconds = (ms: number) => Math.round(ms / 1_000);
