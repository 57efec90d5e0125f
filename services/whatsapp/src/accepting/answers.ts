import type { ErrorDetail } from "@airtower/proto/common/v1/error_detail";
import {
	type SendWhatsAppResult,
	SendWhatsAppResultSchema,
	type WhatsAppAccepted,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import {
	type ExactRefusal,
	type MessageRefusal,
	messageRefusal,
} from "../errors.ts";
import type { Candidate } from "./candidates.ts";

export type Answer = SendWhatsAppResult["result"];

/** Collects one answer per message of a batch. */
export interface Answers {
	accept(candidate: Candidate, accepted: WhatsAppAccepted): void;
	refuse(candidate: Candidate, refusal: MessageRefusal | ExactRefusal): void;
	refuseWith(candidate: Candidate, detail: ErrorDetail): void;
	/** The answer given so far. */
	of(candidate: Candidate): Answer | undefined;
	/** All answers, in order. Throws when one is missing. */
	results(): SendWhatsAppResult[];
}

export function createAnswers(count: number): Answers {
	const answers = new Array<Answer | undefined>(count);
	const refuseWith = (candidate: Candidate, value: ErrorDetail) => {
		answers[candidate.place] = { case: "refused", value };
	};
	return {
		accept: (candidate, value) => {
			answers[candidate.place] = { case: "accepted", value };
		},
		refuse: (candidate, refusal) =>
			refuseWith(candidate, messageRefusal(refusal)),
		refuseWith,
		of: (candidate) => answers[candidate.place],
		results: () => Array.from(answers, resultOf),
	};
}

function resultOf(result: Answer | undefined): SendWhatsAppResult {
	if (result === undefined) throw new Error("A message was left unanswered.");
	return create(SendWhatsAppResultSchema, { result });
}
