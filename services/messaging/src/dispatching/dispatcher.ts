import { fault } from "@airtower/platform/runtime/fault";
import { continueSpan, SpanKind } from "@airtower/platform/tracing/spans";
import { createWorker, type Unsettled } from "@airtower/platform/work/worker";
import type { AttemptContext, Dispatcher } from "../context.ts";
import {
	BULK,
	type Lane,
	type LaneLimits,
	toPriority,
} from "../domain/lanes.ts";
import type { Operator } from "../operators/operator.ts";
import { dispatchQueue } from "../store/dispatch/dispatch-claims.ts";
import {
	attemptMessage,
	type DueMessage,
	findLateResult,
	toUnsent,
} from "./attempt.ts";
import type { SettledAttempt } from "./attempt-rows.ts";
import { LaneRounds } from "./lane-rounds.ts";
import { createRouteWatch } from "./route-watch.ts";

/**
 * Bulk leaves so much of a window free, as a share of it: what was lent comes back only with the operator's responses,
 * and a one-time password does not wait for one.
 */
const KEPT_FROM_BULK = 1 / 10;

/**
 * From a claim on a crash leaves its messages unknown. Each lane has its share of the claims, and organizations take
 * turns in it.
 * @param mayClaim false while the route is paused
 */
export function createDispatcher(
	ctx: AttemptContext,
	operator: Operator,
	mayClaim: () => boolean = () => true,
): Dispatcher {
	const { sql, log, lease, settler, telemetry } = ctx;
	const { code: route } = operator;
	const watch = createRouteWatch(operator);
	const responseTime = telemetry.responseTime.labels(route);
	const rounds = new LaneRounds({
		list: (lanes) => ctx.dueLists.add({ route, lanes }),
	});
	const limits = (unsettled: Unsettled): LaneLimits =>
		mayClaim() ? findLimits(operator, unsettled) : [0, 0, 0];
	const worker = createWorker<"messageId", DueMessage, SettledAttempt>({
		sql,
		log,
		lease,
		settler,
		queue: dispatchQueue,
		within: sql`route = ${route}`,
		putBack: sql`, unsent = unsent + 1, unknown = resent, resent = false`,
		window: () => operator.window,
		capacity: (unsettled) => Math.max(...limits(unsettled)),
		knownCapacity: (unsettled) => rounds.knownOf(limits(unsettled)),
		weightOf: ({ segments }) => segments,
		laneOf: ({ lane }) => lane,
		async claim(limit, token, unsettled) {
			const askedAt = performance.now();
			const claimed = await rounds.claim(
				limit,
				limits(unsettled),
				(organizations) =>
					ctx.claims.add({ token, route, organizations, limit }),
			);
			if (claimed.length > 0) fault("messaging.after_claim");
			for (const { attempt, lane, waitedMs } of claimed)
				if (attempt === 1)
					telemetry.laneWait.observe(
						{ lane: toPriority(lane) },
						waitedMs / 1_000,
					);
			return claimed.map((message) => ({
				...message,
				validUntil: askedAt + message.validityMs,
			}));
		},
		startSpan: ({ messageId, attempt, traceparent }) =>
			continueSpan("dispatch", traceparent, {
				kind: SpanKind.CONSUMER,
				attributes: { "messaging.message.id": messageId, attempt, route },
			}),
		attempt: (message, mayWrite) =>
			attemptMessage(ctx, { operator, watch }, message, mayWrite),
		unsent: (message) => toUnsent(ctx, operator, message),
		late: (attempt) => findLateResult(ctx, attempt),
	});
	operator.onCapacity(worker.capacityChanged);
	return {
		...worker,
		operator,
		watch,
		responded(ms) {
			watch.responded(ms);
			responseTime.observe(ms / 1_000);
		},
		workAnnounced() {
			rounds.workAnnounced();
			worker.workAnnounced();
		},
	};
}

/** Segments that each lane may take now. */
function findLimits(
	operator: Pick<Operator, "window" | "capacity">,
	unsettled: Unsettled,
): LaneLimits {
	const { window } = operator;
	const free = window - unsettled.total;
	const kept = Math.floor(window * KEPT_FROM_BULK);
	const freeForBulk = window - kept - unsettled.inLane(BULK);
	const most = (lane: Lane, free: number) =>
		Math.max(0, Math.min(operator.capacity(lane), free));
	return [most(0, free), most(1, free), most(2, Math.min(free, freeForBulk))];
}
