import type { ErrorDetail } from "@airtower/proto/common/v1/error_detail";
import {
	type MessageAccepted,
	type SendResult,
	SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { type MessageRefusal, messageRefusal } from "../errors.ts";
import type { Candidate } from "./candidates.ts";

export type Answer = SendResult["result"];

/** Collects one answer per message of a batch. */
export interface Answers {
	accept(candidate: Candidate, accepted: MessageAccepted): void;
	refuse(candidate: Candidate, reason: MessageRefusal, field?: string): void;
	refuseWith(candidate: Candidate, detail: ErrorDetail): void;
	/** The answer given so far. */
	of(candidate: Candidate): Answer | undefined;
	/** All answers, in order. Throws when one is missing. */
	results(): SendResult[];
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
		refuse: (candidate, reason, field) =>
			refuseWith(candidate, messageRefusal(reason, field)),
		refuseWith,
		of: (candidate) => answers[candidate.place],
		results: () => Array.from(answers, resultOf),
	};
}

function resultOf(result: Answer | undefined): SendResult {
	if (result === undefined) throw new Error("A message was left unanswered.");
	return create(SendResultSchema, { result });
}
