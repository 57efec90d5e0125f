import {
	type BatchAnswers,
	createBatchAnswers,
} from "@airtower/platform/work/batch-answers";
import type { WhatsAppAccepted } from "@airtower/proto/whatsapp/v1/whatsapp";
import {
	type ExactRefusal,
	type MessageRefusal,
	messageRefusal,
} from "../errors.ts";

/** One answer per message of a batch. */
export type Answers = BatchAnswers<
	WhatsAppAccepted,
	[refusal: MessageRefusal | ExactRefusal]
>;

export function createAnswers(count: number): Answers {
	return createBatchAnswers(count, messageRefusal);
}
