import { randomUUID } from "node:crypto";
import { pause } from "@airtower/platform/loop";
import { openSecret } from "@airtower/platform/secret-box";
import type { WebhooksContext } from "../context.ts";
import type { Share } from "../domain/fair-share.ts";
import { callbackHeaders } from "../domain/signature.ts";
import {
	type Answer,
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
/** Claims are at least this far apart, ms, so that a busy sender claims batches and not single rows. */
const CLAIM_SPACING_MS = 10;
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
export async function deliverDue(
	ctx: WebhooksContext,
	signal: AbortSignal,
): Promise<number> {
	const sinceClaimMs = ctx.clock().getTime() - ctx.pace.claimedAt;
	if (sinceClaimMs < CLAIM_SPACING_MS)
		await pause(CLAIM_SPACING_MS - sinceClaimMs, signal);
	if (signal.aborted) return 0;
	await lookForDueWork(ctx);
	const plan = ctx.lanes.plan(MAX_CLAIM, ctx.clock().getTime());
	if (plan.length === 0) return 0;
	ctx.pace.claimedAt = ctx.clock().getTime();
	const work = await claim(ctx, plan);
	for (const { delivery, endpoint } of work) start(ctx, delivery, endpoint);
	ctx.telemetry.inFlight.set(ctx.lanes.inFlight());
	return work.length;
}

async function lookForDueWork(ctx: WebhooksContext): Promise<void> {
	const { pace } = ctx;
	const startedAt = ctx.clock().getTime();
	const spacing = Math.max(LOOK_EVERY_MS, pace.lookMs / MAX_LOOK_SHARE);
	if (startedAt - pace.lookedAt < spacing) return;
	ctx.lanes.announce(await findDueEndpoints(ctx.sql));
	pace.lookedAt = ctx.clock().getTime();
	pace.lookMs = pace.lookedAt - startedAt;
}

interface Work {
	readonly delivery: ClaimedDelivery;
	/** Undefined when it is no longer active. */
	readonly endpoint: OpenEndpoint | undefined;
}

interface OpenEndpoint {
	readonly url: string;
	readonly secret: string;
}

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
		const endpoints = await openEndpoints(ctx, [...counts.keys()]);
		return claimed.map((delivery) => ({
			delivery,
			endpoint: endpoints.get(delivery.endpointId),
		}));
	} catch (error) {
		counts.clear();
		throw error;
	} finally {
		ctx.lanes.taken(plan, counts);
	}
}

async function openEndpoints(
	ctx: WebhooksContext,
	ids: string[],
): Promise<Map<string, OpenEndpoint>> {
	if (ids.length === 0) return new Map();
	const rows = await findActiveEndpoints(ctx.sql, ids);
	return new Map(
		[...rows].map(([id, row]) => [id, openEndpoint(ctx, row)] as const),
	);
}

function openEndpoint(
	ctx: WebhooksContext,
	{ id, url, secret }: SendableEndpoint,
): OpenEndpoint {
	return { url, secret: openSecret(ctx.ring, secret, id).toString() };
}

function start(
	ctx: WebhooksContext,
	delivery: ClaimedDelivery,
	endpoint: OpenEndpoint | undefined,
): void {
	const flight = attempt(ctx, delivery, endpoint)
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
	endpoint: OpenEndpoint | undefined,
): Promise<void> {
	const startedAt = performance.now();
	const answer: Answer =
		endpoint === undefined
			? { error: "endpoint_inactive" }
			: await post(ctx, delivery, endpoint);
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
	{ url, secret }: OpenEndpoint,
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
	ctx.lanes.ended(endpointId, ok, ok ? 0 : now.getTime() + pauseMs);
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
