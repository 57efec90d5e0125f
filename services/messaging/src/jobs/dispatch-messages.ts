import { fault } from "@airtower/platform/runtime/fault";
import type { DeliveryContext } from "../delivery-context.ts";
import {
	type BegunMessage,
	beginAttempts,
} from "../dispatching/begin-attempts.ts";
import type { Dispatcher, ReadyMessage } from "../dispatching/dispatcher.ts";
import { giveBackUnbegun } from "../dispatching/give-back-unbegun.ts";
import {
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type {
	OutgoingMessage,
	PartResult,
	SubmitResult,
} from "../operators/operator.ts";

/**
 * After being stopped, this process may find that others have taken over what it was about to send:
 * it sends nothing then, and gives back what is still its own.
 */
const UNSENT = {
	kind: "postponed",
	delayMs: 0,
	countsAsAttempt: false,
} as const;
const EXPIRED = { kind: "failed", reason: "expired" } as const;

/** Submits claimed messages as far as the operator's capacity goes; answers how many it took up. */
export async function dispatchMessages(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<number> {
	await giveBackUnbegun(ctx.sql, dispatcher);
	const taken = dispatcher.take();
	if (taken.length === 0) return 0;
	ctx.poke.claim();
	const now = performance.now();
	const [live, expired] = partition(
		taken,
		(message) => message.validUntil > now,
	);
	for (const message of expired)
		dispatcher.track(message, settle(ctx, dispatcher, message, EXPIRED));
	for (const message of await begin(ctx, dispatcher, live))
		dispatcher.track(message, attempt(ctx, dispatcher, message));
	return taken.length;
}

/** The machine may have slept since the claim: lease and validity are looked at once more. */
function attempt(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: BegunMessage,
): Promise<void> {
	if (message.expired) return settle(ctx, dispatcher, message, EXPIRED);
	if (ctx.lease.covers(message.token)) return submit(ctx, dispatcher, message);
	return settle(ctx, dispatcher, message, { ...message, ...UNSENT });
}

async function begin(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	messages: readonly ReadyMessage[],
): Promise<BegunMessage[]> {
	if (messages.length === 0) return [];
	dispatcher.beginning = messages;
	const begun = await beginAttempts(ctx.sql, messages);
	dispatcher.beginning = [];
	return begun;
}

async function submit(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ReadyMessage,
): Promise<void> {
	const result = await dispatcher.operator.submit(outgoingOf(message), () =>
		ctx.lease.covers(message.token),
	);
	fault("messaging.after_submit");
	const outcome = decideAttempt(result, message, ctx.random());
	await settle(ctx, dispatcher, message, outcome, result);
	if (outcome.kind === "unknown")
		settleLate(ctx, dispatcher, message, result).catch((err: unknown) =>
			ctx.log.warn(
				{ err, messageId: message.messageId },
				"a late answer was not recorded",
			),
		);
}

/** Answers that come after all decide, unless the message has been claimed again meanwhile. */
async function settleLate(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ReadyMessage,
	{ total, parts }: SubmitResult,
): Promise<void> {
	const answered = await Promise.all(parts.map(lateResult));
	if (answered.every((part, place) => part === parts[place])) return;
	const result = { total, parts: answered };
	const outcome = decideAttempt(result, message, ctx.random());
	await settle(ctx, dispatcher, message, outcome, result);
}

async function lateResult(result: PartResult): Promise<PartResult> {
	if (result.kind !== "unknown") return result;
	const late = await result.late;
	return late === undefined ? result : { part: result.part, ...late };
}

async function settle(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ReadyMessage,
	outcome: AttemptOutcome,
	result?: SubmitResult,
): Promise<void> {
	const mayResend =
		ctx.limits.unknownPolicy === "resend_once" && !message.resent;
	await ctx.settler.add({
		messageId: message.messageId,
		token: message.token,
		attempt: message.attempt,
		refusals: message.refusals,
		doubtful: message.doubtful,
		operatorAccount: dispatcher.operator.account,
		outcome,
		result,
		unknownWaitMs: mayResend ? ctx.limits.unknownWaitMs : null,
	});
}

function outgoingOf(message: ReadyMessage): OutgoingMessage {
	const { outgoing, validUntil } = message;
	const validityMs = validUntil - performance.now();
	const common = {
		messageId: message.messageId,
		attempt: message.attempt,
		to: outgoing.recipient,
		sender: outgoing.senderValue,
		body: outgoing.body,
		validitySeconds: Math.max(1, Math.floor(validityMs / 1_000)),
		reference: outgoing.concatReference,
	};
	const missing = missingParts(message);
	return missing === undefined ? common : { ...common, onlyParts: missing };
}

/** Undefined when no part was taken yet. */
function missingParts({
	takenParts,
	partCount,
}: ReadyMessage): number[] | undefined {
	if (partCount === undefined) return undefined;
	const all = Array.from({ length: partCount }, (_, index) => index + 1);
	return all.filter((part) => !takenParts.includes(part));
}

function partition<T>(
	items: readonly T[],
	belongs: (item: T) => boolean,
): [T[], T[]] {
	const groups = Map.groupBy(items, belongs);
	return [groups.get(true) ?? [], groups.get(false) ?? []];
}
