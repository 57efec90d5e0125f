import { transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Context } from "../context.ts";
import type { HeldMessage } from "../dispatching/attempt.ts";
import { prepareMessage } from "../dispatching/prepare-message.ts";
import {
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type { OutgoingMessage } from "../provider/provider.ts";
import {
	claimDispatch,
	findSendFacts,
	markDispatchSubmitting,
} from "../store/dispatch.ts";

/** Most messages in one claim. */
const MAX_CLAIM = 200;
/** How far ahead of its rate a number may run, ms: a claim's worth of messages goes out at once. */
const BURST_MS = 500;

/** Nothing of the message was sent: it goes on as if this attempt had not been. */
const UNSENT = {
	kind: "postponed",
	delayMs: 0,
	refusals: 0,
	pauses: "nobody",
} as const;

interface ReadyMessage {
	readonly held: HeldMessage;
	readonly sealedToken: Buffer;
	readonly outgoing: OutgoingMessage;
}

/** Claims due messages for the free places and starts their submits, without waiting for them. Answers how many were claimed. */
export async function dispatchMessages(ctx: Context): Promise<number> {
	const room = Math.min(ctx.limits.maxInFlight - ctx.flights.size, MAX_CLAIM);
	if (room <= 0) return 0;
	const held = await claim(ctx, room);
	if (held.length === 0) return 0;
	fault("whatsapp.after_claim");
	const ready = await prepare(ctx, held);
	const { leaseMs, submitTimeoutMs } = ctx.limits;
	// After being stopped, this process may find its lease over: what it has not sent belongs to others.
	const freshUntil = performance.now() + leaseMs - submitTimeoutMs;
	for (const message of await begin(ctx, ready))
		track(
			ctx,
			performance.now() < freshUntil
				? submit(ctx, message)
				: settle(ctx, message, UNSENT),
		);
	ctx.telemetry.inFlight.set(ctx.flights.size);
	return held.length;
}

async function claim(ctx: Context, limit: number): Promise<HeldMessage[]> {
	const token = uuidv7();
	const { leaseMs, ratePerSecond } = ctx.limits;
	const rows = await transaction(ctx.sql, (sql) =>
		claimDispatch(sql, {
			...{ token, leaseMs, limit, ratePerSecond },
			burstMs: BURST_MS,
		}),
	);
	return rows.map((row) => ({ ...row, token }));
}

/** Settles at once what cannot go any more. */
async function prepare(
	ctx: Context,
	messages: readonly HeldMessage[],
): Promise<ReadyMessage[]> {
	const ids = messages.map((message) => message.messageId);
	const rows = await findSendFacts(ctx.sql, ids);
	const facts = new Map(rows.map((row) => [row.messageId, row]));
	const now = ctx.clock();
	return messages.flatMap((held) => {
		const known = facts.get(held.messageId);
		if (known === undefined) return [];
		const prepared = prepareMessage(held, known, ctx.ring, now);
		const attempt = { held, sealedToken: known.accessToken };
		if ("outgoing" in prepared) return [{ ...attempt, ...prepared }];
		track(ctx, settle(ctx, attempt, prepared.outcome));
		return [];
	});
}

/**
 * Marks messages as submitting: from here on a crash leaves them unknown. A mark whose commit may have
 * landed though its answer was lost is taken back: nothing of these messages was sent.
 */
async function begin(
	ctx: Context,
	messages: readonly ReadyMessage[],
): Promise<ReadyMessage[]> {
	if (messages.length === 0) return [];
	const claimed = messages.map((message) => message.held);
	const marked = messages.map((message) => ({
		...message,
		held: { ...message.held, attempt: message.held.attempt + 1 },
	}));
	try {
		const begun = new Set(
			await markDispatchSubmitting(ctx.sql, claimed, ctx.limits.leaseMs),
		);
		return marked.filter(({ held }) => begun.has(held.messageId));
	} catch (error) {
		for (const message of marked) track(ctx, settle(ctx, message, UNSENT));
		throw error;
	}
}

async function submit(ctx: Context, message: ReadyMessage): Promise<void> {
	const result = await ctx.provider.submit(message.outgoing);
	fault("whatsapp.after_submit");
	const outcome = decideAttempt(result, message.held.refusals, ctx.random());
	const error = result.kind === "taken" ? undefined : result.text;
	await settle(ctx, message, outcome, error, result.kind !== "unsent");
}

async function settle(
	ctx: Context,
	{ held, sealedToken }: Omit<ReadyMessage, "outgoing">,
	outcome: AttemptOutcome,
	providerError?: string,
	wasWritten = false,
): Promise<void> {
	const { messageId, token, attempt, phoneNumberId, recipient } = held;
	await ctx.settler.add({
		...{ messageId, token, attempt, phoneNumberId, recipient },
		...{ sealedToken, outcome, providerError, wasWritten },
	});
}

/** Remembers a flight until it has landed; a landing makes room for others. */
function track(ctx: Context, flight: Promise<void>): void {
	const tracked = flight
		.catch((error: unknown) => {
			ctx.log.error({ err: error }, "an attempt was not settled");
		})
		.finally(() => {
			const wasFull = ctx.flights.size >= ctx.limits.maxInFlight;
			ctx.flights.delete(tracked);
			if (wasFull) ctx.wake.dispatch();
		});
	ctx.flights.add(tracked);
}
