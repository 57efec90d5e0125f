import { uuidv7 } from "@airtower/platform/runtime/ids";
import { batchItemOf } from "@airtower/platform/work/batch-answers";
import {
	acceptInTurns,
	replayKnown,
} from "@airtower/platform/work/batch-replay";
import {
	type SendWhatsAppMessage,
	type SendWhatsAppResult,
	SendWhatsAppResultSchema,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { type Answers, createAnswers } from "./answers.ts";
import type {
	Candidate,
	CheckedCandidate,
	SendableCandidate,
} from "./candidates.ts";
import { checkMessage } from "./check-message.ts";
import { resolveContent } from "./resolve-content.ts";
import {
	type StorableMessage,
	type StoreOutcome,
	storeMessages,
} from "./store-messages.ts";

/**
 * Accepts a batch: known keys are replayed, the others checked and stored in one transaction.
 * Answers one result per message, in order; none hinders another.
 */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendWhatsAppMessage[],
): Promise<SendWhatsAppResult[]> {
	const answers = createAnswers(messages.length);
	await acceptInTurns(messages.map(batchItemOf), answers, (candidates) =>
		acceptDistinct(ctx, candidates, answers),
	);
	return answers
		.all()
		.map((result) => create(SendWhatsAppResultSchema, { result }));
}

async function acceptDistinct(
	ctx: Context,
	candidates: readonly Candidate[],
	answers: Answers,
): Promise<void> {
	const fresh = await replayKnown(
		ctx.sql,
		candidates,
		answers,
		WhatsAppAcceptedSchema,
	);
	const checked = checkAll(fresh, answers);
	const now = ctx.clock();
	const sendable = await resolveContent(ctx.sql, checked, now, answers);
	const storable = sendable.map(storableOf);
	const { log, limits } = ctx;
	const { validityMs } = limits;
	const outcomes = await storeMessages(ctx.sql, storable, { log, validityMs });
	await answerOutcomes(ctx, storable, outcomes, answers);
}

function checkAll(
	candidates: readonly Candidate[],
	answers: Answers,
): CheckedCandidate[] {
	const checked: CheckedCandidate[] = [];
	for (const candidate of candidates) {
		const result = checkMessage(candidate);
		if (typeof result === "string" || "reason" in result)
			answers.refuse(candidate, result);
		else checked.push(result);
	}
	return checked;
}

function storableOf(candidate: SendableCandidate): StorableMessage {
	return {
		candidate,
		accepted: create(WhatsAppAcceptedSchema, { messageId: uuidv7() }),
	};
}

async function answerOutcomes(
	ctx: Context,
	messages: readonly StorableMessage[],
	outcomes: readonly StoreOutcome[],
	answers: Answers,
): Promise<void> {
	const lost: SendableCandidate[] = [];
	messages.forEach(({ candidate, accepted }, index) => {
		const outcome = outcomes[index] ?? "unsure";
		if (outcome === "stored") answers.accept(candidate, accepted);
		else if (outcome === "lost") lost.push(candidate);
		else answers.refuse(candidate, REFUSAL_OF_OUTCOME[outcome]);
	});
	const unknown = await replayKnown(
		ctx.sql,
		lost,
		answers,
		WhatsAppAcceptedSchema,
	);
	for (const candidate of unknown)
		answers.refuse(candidate, "idempotency_key_in_use");
}

const REFUSAL_OF_OUTCOME = {
	key_in_use: "idempotency_key_in_use",
	unstorable: "internal_error",
	unsure: "service_unavailable",
} as const satisfies Record<Exclude<StoreOutcome, "stored" | "lost">, string>;
