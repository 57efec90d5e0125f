import { fault } from "@airtower/platform/runtime/fault";
import { continueSpan, SpanKind } from "@airtower/platform/tracing/spans";
import { createGroupRounds } from "@airtower/platform/work/due-groups";
import { createWorker } from "@airtower/platform/work/worker";
import type { AttemptContext, Dispatcher } from "../context.ts";
import type { Operator } from "../operators/operator.ts";
import {
	type ClaimedMessage,
	claimMessages,
	dispatchQueue,
	listDueOrganizations,
} from "../store/dispatch/dispatch-claims.ts";
import { type Addressed, findOptedOut } from "../store/opt-outs/opt-outs.ts";
import {
	attemptMessage,
	type DueMessage,
	findLateResult,
	toUnsent,
} from "./attempt.ts";
import type { SettledAttempt } from "./attempt-rows.ts";
import { createRouteWatch } from "./route-watch.ts";

/**
 * From a claim on a crash leaves its messages unknown. Organizations take turns, each with its share of a claim. Who has
 * opted out is looked up once the claim is committed: so whoever stores an opt-out and looks at the queue after that sees
 * each message that may be sent in spite of it, as one that is on its way.
 * @param mayClaim false while the route is paused
 */
export function createDispatcher(
	ctx: AttemptContext,
	operator: Operator,
	mayClaim: () => boolean = () => true,
): Dispatcher {
	const { sql, log, lease, settler } = ctx;
	const { code: route } = operator;
	const watch = createRouteWatch(operator);
	const rounds = createGroupRounds<ClaimedMessage>({
		list: (after, limit) => listDueOrganizations(sql, route, after, limit),
		groupOf: ({ organizationId }) => organizationId,
		weightOf: ({ segments }) => segments,
	});
	const worker = createWorker<"messageId", DueMessage, SettledAttempt>({
		sql,
		log,
		lease,
		settler,
		queue: dispatchQueue,
		within: sql`route = ${route}`,
		putBack: sql`, unsent = unsent + 1`,
		window: () => operator.window,
		capacity: (unsettled) =>
			mayClaim()
				? Math.min(operator.capacity(), operator.window - unsettled)
				: 0,
		weightOf: ({ segments }) => segments,
		async claim(limit, token) {
			const askedAt = performance.now();
			const claimed = await rounds.claim(limit, (shares) =>
				claimMessages(sql, { ...shares, route, token, limit }),
			);
			if (claimed.length > 0) fault("messaging.after_claim");
			const optedOut = await findOptedOut(sql, claimed.map(toAddressed));
			return claimed.map((message, index) => ({
				...message,
				isOptedOut: optedOut.has(index),
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
	return { ...worker, operator, watch };
}

function toAddressed({ senderValue, ...message }: ClaimedMessage): Addressed {
	return { ...message, sender: senderValue };
}
