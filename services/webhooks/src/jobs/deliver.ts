import { randomUUID } from "node:crypto";
import { openSecret } from "@airtower/platform/runtime/secret-box";
import type { WebhooksContext } from "../context.ts";
import type { Share } from "../domain/fair-share.ts";
import { callbackHeaders } from "../domain/signature.ts";
import {
	type Answer,
	type AttemptError,
	askedWaitMs,
	judge,
	type Verdict,
} from "../domain/verdict.ts";
import {
	type ClaimedDelivery,
	claimDeliveries,
	findDueEndpoints,
	type Settlement,
} from "../store/deliveries.ts";
import {
	findActiveEndpoints,
	type SendableEndpoint,
} from "../store/endpoints.ts";

/** Most deliveries in one claim. */
const MAX_CLAIM = 500;
/** Ended attempts that may wait for their settling: a slow database slows the sender down. */
const MAX_UNSETTLED = 1_000;
/** How often the sender looks for due work that nobody announced, ms. */
const LOOK_EVERY_MS = 500;
/** Looking takes at most this share of the time. */
const MAX_LOOK_SHARE = 0.1;
/** Longest pause that one receiver's Retry-After puts on all its deliveries, ms. */
const MAX_ENDPOINT_PAUSE_MS = 60_000;

/**
 * Claims due deliveries for the free slots and starts their attempts, without waiting for them.
 * Answers how many were started.
 */
export async function deliverDue(ctx: WebhooksContext): Promise<number> {
	await lookForDueWork(ctx);
	const room = Math.min(MAX_CLAIM, MAX_UNSETTLED - ctx.settler.depth());
	const plan = ctx.lanes.plan(room, performance.now());
	if (plan.length === 0) return 0;
	const work = await claim(ctx, plan);
	for (const { delivery, recipient } of work) start(ctx, delivery, recipient);
	ctx.telemetry.inFlight.set(ctx.lanes.inFlight());
	return work.length;
}

async function lookForDueWork(ctx: WebhooksContext): Promise<void> {
	const { look } = ctx;
	const startedAt = performance.now();
	const spacing = Math.max(LOOK_EVERY_MS, look.tookMs / MAX_LOOK_SHARE);
	if (startedAt - look.at < spacing) return;
	try {
		ctx.lanes.announce(await findDueEndpoints(ctx.sql));
	} finally {
		look.at = performance.now();
		look.tookMs = look.at - startedAt;
	}
}

interface Work {
	readonly delivery: ClaimedDelivery;
	readonly recipient: Recipient;
}

/** Where to send, or why nothing can be sent. */
type Recipient =
	| { readonly url: string; readonly secret: string }
	| { readonly error: AttemptError };

const INACTIVE: Recipient = { error: "endpoint_inactive" };

/**
 * Leases first and reads the endpoints after, in that order: who deletes an endpoint and then sees
 * no lease on its deliveries knows that nothing more is sent to it.
 */
async function claim(ctx: WebhooksContext, plan: Share[]): Promise<Work[]> {
	const counts = new Map<string, number>();
	try {
		const claimed = await claimDeliveries(
			ctx.sql,
			plan,
			randomUUID(),
			ctx.leaseMs,
		);
		for (const { endpointId } of claimed)
			counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
		const recipients = await findRecipients(ctx, [...counts.keys()]);
		return claimed.map((delivery) => ({
			delivery,
			recipient: recipients.get(delivery.endpointId) ?? INACTIVE,
		}));
	} catch (error) {
		counts.clear();
		throw error;
	} finally {
		ctx.lanes.taken(plan, counts);
	}
}

async function findRecipients(
	ctx: WebhooksContext,
	ids: string[],
): Promise<Map<string, Recipient>> {
	if (ids.length === 0) return new Map();
	const rows = await findActiveEndpoints(ctx.sql, ids);
	return new Map([...rows].map(([id, row]) => [id, recipientOf(ctx, row)]));
}

/** A secret that does not open is its endpoint's trouble alone, and may be mended by a setting. */
function recipientOf(
	ctx: WebhooksContext,
	{ id, url, secret }: SendableEndpoint,
): Recipient {
	try {
		return { url, secret: openSecret(ctx.ring, secret, id).toString() };
	} catch (error) {
		ctx.log.error({ err: error, endpointId: id }, "signing secret unreadable");
		return { error: "secret_unreadable" };
	}
}

function start(
	ctx: WebhooksContext,
	delivery: ClaimedDelivery,
	recipient: Recipient,
): void {
	const flight = attempt(ctx, delivery, recipient)
		.catch((error: unknown) => {
			ctx.log.error({ err: error }, "attempt could not be settled");
		})
		.finally(() => {
			ctx.flights.delete(flight);
		});
	ctx.flights.add(flight);
}

async function attempt(
	ctx: WebhooksContext,
	delivery: ClaimedDelivery,
	recipient: Recipient,
): Promise<void> {
	const startedAt = performance.now();
	const answer =
		"error" in recipient ? recipient : await post(ctx, delivery, recipient);
	const durationMs = Math.round(performance.now() - startedAt);
	const now = ctx.clock();
	const verdict = judge(answer, delivery.attempt, now, ctx.random());
	leaveLane(ctx, delivery.endpointId, verdict, answer, now);
	observe(ctx, delivery, verdict, durationMs, now);
	await ctx.settler.add(settlementOf(delivery, answer, verdict, durationMs));
}

function post(
	ctx: WebhooksContext,
	{ eventId, body }: ClaimedDelivery,
	{ url, secret }: { readonly url: string; readonly secret: string },
): Promise<Answer> {
	const timestamp = Math.floor(ctx.clock().getTime() / 1_000);
	const headers = callbackHeaders({ eventId, body, secret, timestamp });
	return ctx.poster.post({ url, headers, body });
}

function leaveLane(
	ctx: WebhooksContext,
	endpointId: string,
	verdict: Verdict,
	answer: Answer,
	now: Date,
): void {
	const pauseMs = Math.min(askedWaitMs(answer, now), MAX_ENDPOINT_PAUSE_MS);
	const ok = verdict.state === "delivered";
	ctx.lanes.ended(endpointId, ok, ok ? 0 : performance.now() + pauseMs);
	if (ctx.lanes.hasRoomForWork(endpointId)) ctx.wakeSender();
}

function observe(
	{ telemetry }: WebhooksContext,
	delivery: ClaimedDelivery,
	verdict: Verdict,
	durationMs: number,
	now: Date,
): void {
	const result = verdict.state === "delivered" ? "ok" : verdict.error;
	telemetry.attempts.inc({ result });
	telemetry.attemptSeconds.observe(durationMs / 1_000);
	if (delivery.attempt > 1) return;
	const sinceOutcomeMs = now.getTime() - delivery.occurredAt.getTime();
	telemetry.firstAttemptSeconds.observe(Math.max(0, sinceOutcomeMs) / 1_000);
}

function settlementOf(
	delivery: ClaimedDelivery,
	answer: Answer,
	verdict: Verdict,
	durationMs: number,
): Settlement {
	return {
		eventId: delivery.eventId,
		endpointId: delivery.endpointId,
		leaseToken: delivery.leaseToken,
		attempt: delivery.attempt,
		state: verdict.state,
		delayMs: verdict.state === "pending" ? verdict.delayMs : null,
		httpStatus: "status" in answer ? answer.status : null,
		error: verdict.state === "delivered" ? null : verdict.error,
		durationMs,
	};
}
