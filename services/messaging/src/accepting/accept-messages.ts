import { batchItemOf } from "@airtower/platform/work/batch-answers";
import {
	acceptInTurns,
	replayKnown,
} from "@airtower/platform/work/batch-replay";
import {
	MessageAcceptedSchema,
	type SendMessage,
	type SendResult,
	SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { type Answers, createAnswers } from "./answers.ts";
import type {
	Candidate,
	CheckedCandidate,
	ReservedCandidate,
} from "./candidates.ts";
import { checkMessage } from "./check-message.ts";
import { releaseQuota, reserveQuota } from "./reserve-quota.ts";
import { resolveSenders } from "./resolve-senders.ts";
import {
	type StorableMessage,
	type StoreOutcome,
	storeMessages,
} from "./store-messages.ts";

/**
 * Accepts a batch: known keys are replayed, the others checked, paid for in one call and stored in
 * one transaction. Answers one result per message, in order; none hinders another.
 * @param signal aborted when the caller has given up: it tells its clients to try again, so nothing is stored then
 */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendMessage[],
	signal: AbortSignal,
): Promise<SendResult[]> {
	const answers = createAnswers(messages.length);
	await acceptInTurns(messages.map(batchItemOf), answers, (candidates) =>
		acceptDistinct(ctx, candidates, answers, signal),
	);
	return answers.all().map((result) => create(SendResultSchema, { result }));
}

async function acceptDistinct(
	ctx: Context,
	candidates: readonly Candidate[],
	answers: Answers,
	signal: AbortSignal,
): Promise<void> {
	const fresh = await replayKnown(
		ctx.sql,
		candidates,
		answers,
		MessageAcceptedSchema,
	);
	const checked = checkAll(fresh, answers);
	const { addressed, lookedUpAt } = await resolveSenders(
		ctx.senders,
		checked,
		answers,
	);
	const reserved = await reserveQuota(ctx, addressed, answers);
	if (signal.aborted) await releaseQuota(ctx, reserved);
	signal.throwIfAborted();
	const storable = reserved.map((candidate) => storableOf(ctx, candidate));
	const outcomes = await storeMessages(ctx.sql, storable, {
		reservedAfter: lookedUpAt,
		validityMs: ctx.limits.validityMs,
		log: ctx.log,
	});
	await answerOutcomes(ctx, storable, outcomes, answers);
}

function checkAll(
	candidates: readonly Candidate[],
	answers: Answers,
): CheckedCandidate[] {
	const checked: CheckedCandidate[] = [];
	for (const candidate of candidates) {
		const result = checkMessage(candidate);
		if (typeof result === "string") answers.refuse(candidate, result);
		else checked.push(result);
	}
	return checked;
}

function storableOf(
	ctx: Context,
	candidate: ReservedCandidate,
): StorableMessage {
	const { messageId, remainingQuota, senderValue, recipient } = candidate;
	const { body } = candidate.message;
	return {
		candidate,
		accepted: create(MessageAcceptedSchema, {
			messageId,
			remainingQuota,
			route: ctx.route,
		}),
		concatReference: ctx.references.next(senderValue, recipient, body),
	};
}

async function answerOutcomes(
	ctx: Context,
	messages: readonly StorableMessage[],
	outcomes: readonly StoreOutcome[],
	answers: Answers,
): Promise<void> {
	const lost: ReservedCandidate[] = [];
	const unpaid: ReservedCandidate[] = [];
	for (const [index, { candidate, accepted }] of messages.entries()) {
		const outcome = outcomes[index] ?? "unsure";
		if (outcome === "stored") answers.accept(candidate, accepted);
		else if (outcome === "lost") lost.push(candidate);
		else answers.refuse(candidate, REFUSAL_OF_OUTCOME[outcome]);
		if (outcome !== "stored" && outcome !== "unsure") unpaid.push(candidate);
	}
	if (outcomes.includes("stored")) ctx.announceWork();
	const unknown = await replayKnown(
		ctx.sql,
		lost,
		answers,
		MessageAcceptedSchema,
	);
	for (const candidate of unknown)
		answers.refuse(candidate, "idempotency_key_in_use");
	await releaseQuota(ctx, unpaid);
}

/** The reservation of an unsure message is left to the accounts service, which looks whether it exists. */
const REFUSAL_OF_OUTCOME = {
	key_in_use: "idempotency_key_in_use",
	unstorable: "internal_error",
	not_stored: "service_unavailable",
	unsure: "service_unavailable",
} as const satisfies Record<Exclude<StoreOutcome, "stored" | "lost">, string>;
