import { isUuid, uuidv7 } from "@airtower/platform/ids";
import {
	type SendWhatsAppMessage,
	type SendWhatsAppResult,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import type { WhatsappContext } from "../context.ts";
import { type Answers, createAnswers } from "./answers.ts";
import {
	type Candidate,
	type CheckedCandidate,
	candidateOf,
	type SendableCandidate,
} from "./candidates.ts";
import { checkMessage } from "./check-message.ts";
import { answerLikeTwin, replayMessages } from "./replay-messages.ts";
import { resolveContent } from "./resolve-content.ts";
import {
	type StorableMessage,
	type StoreOutcome,
	storeMessages,
} from "./store-messages.ts";

/**
 * Requests with one key and different bodies in one batch take turns while the earlier ones are
 * refused; a key with more of them than this is answered as in use.
 */
const MAX_TURNS = 3;

/**
 * Accepts a batch: known keys are replayed, the others checked and stored in one transaction.
 * Answers one result per message, in order; none hinders another.
 */
export async function acceptMessages(
	ctx: WhatsappContext,
	messages: readonly SendWhatsAppMessage[],
): Promise<SendWhatsAppResult[]> {
	const answers = createAnswers(messages.length);
	let open = messages.map(candidateOf).filter((candidate) => {
		const known = isUuid(candidate.organizationId);
		if (!known) answers.refuse(candidate, "unknown_organization");
		return known;
	});
	for (let turn = 1; open.length > 0 && turn <= MAX_TURNS; turn++) {
		const { first, twins } = splitTwins(open);
		await acceptDistinct(ctx, first, answers);
		open = twins.flatMap(([candidate, twin]) =>
			answerLikeTwin(candidate, twin, answers) ? [] : [candidate],
		);
	}
	for (const candidate of open)
		answers.refuse(candidate, "idempotency_key_in_use");
	return answers.results();
}

/** Sets apart the messages whose key an earlier one of the batch has, each with that earlier one. */
function splitTwins(candidates: readonly Candidate[]) {
	const byKey = new Map<string, Candidate>();
	const first: Candidate[] = [];
	const twins: [Candidate, Candidate][] = [];
	for (const candidate of candidates) {
		const { key, organizationId } = candidate;
		const id = key && `${organizationId} ${key.key}`;
		const twin = id === undefined ? undefined : byKey.get(id);
		if (twin === undefined) {
			first.push(candidate);
			if (id !== undefined) byKey.set(id, candidate);
		} else twins.push([candidate, twin]);
	}
	return { first, twins };
}

async function acceptDistinct(
	ctx: WhatsappContext,
	candidates: readonly Candidate[],
	answers: Answers,
): Promise<void> {
	const fresh = await replayMessages(ctx.sql, candidates, answers);
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
	ctx: WhatsappContext,
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
	const unknown = await replayMessages(ctx.sql, lost, answers);
	for (const candidate of unknown)
		answers.refuse(candidate, "idempotency_key_in_use");
	if (outcomes.includes("stored")) ctx.poke.dispatch();
}

const REFUSAL_OF_OUTCOME = {
	key_in_use: "idempotency_key_in_use",
	unstorable: "internal_error",
	unsure: "service_unavailable",
} as const satisfies Record<Exclude<StoreOutcome, "stored" | "lost">, string>;
