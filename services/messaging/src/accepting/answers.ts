import {
	type BatchAnswers,
	createBatchAnswers,
} from "@airtower/platform/work/batch-answers";
import type { MessageAccepted } from "@airtower/proto/messaging/v1/messaging";
import { type MessageRefusal, messageRefusal } from "../errors.ts";

/** One answer per message of a batch; a refusal names its field, unless it is the usual one. */
export type Answers = BatchAnswers<
	MessageAccepted,
	[reason: MessageRefusal, field?: string]
>;

export function createAnswers(count: number): Answers {
	return createBatchAnswers(count, messageRefusal);
}
