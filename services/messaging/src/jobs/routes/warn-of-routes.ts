import type { DeliveryContext, Dispatcher } from "../../context.ts";
import { ILLNESSES } from "../../domain/route-health.ts";
import { countWorkByRoute } from "../../store/dispatch/dispatch-counts.ts";

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

	return async (ctx: DeliveryContext): Promise<number> => {
		for (const dispatcher of ctx.dispatchers) {
			const { operator, watch } = dispatcher;
			const { code } = operator;
			const now = performance.now();
			const outage = outages.get(code);
			if (operator.status().bound && watch.opinion.reason === null) {
				outages.delete(code);
				if (outage?.isTold) tellOfEnd(ctx, code, now - outage.since);
			} else if (outage === undefined)
				outages.set(code, { since: now, toldAt: now, isTold: false });
			else if (now - outage.toldAt >= everyMs) {
				outage.toldAt = now;
				const isTold = await tell(ctx, dispatcher, now - outage.since);
				outage.isTold ||= isTold;
			}
		}
		return 0;
	};
}

async function tell(
	{ sql, log }: DeliveryContext,
	{ operator, watch }: Dispatcher,
	downMs: number,
): Promise<boolean> {
	const { code: route } = operator;
	const { bound, bindsWanted, nextTryAt, ...status } = operator.status();
	const { reason } = watch.opinion;
	const isIll = bound && reason !== null;
	const lastError = isIll ? ILLNESSES[reason] : status.lastError;
	const work = await countWorkByRoute(sql);
	const waiting = work.find((one) => one.route === route)?.queued ?? 0;
	// Where another process has all connections of the route, it is that one that tells.
	if (waiting === 0 || bindsWanted === 0) return false;
	log.error(
		{ route, downS: seconds(downMs), waiting, nextTryAt, lastError },
		`route ${route} is down for ${seconds(downMs)} s and ${waiting} messages wait: ${lastError ?? "not bound yet"}; next try ${nextTryAt?.toISOString() ?? "now"}`,
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
