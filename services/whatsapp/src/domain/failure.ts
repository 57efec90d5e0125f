/** One public sentence for each reason for which a message fails. */
export const FAILURE_TEXTS = {
	rejected: "The message was refused.",
	undeliverable: "The message could not be delivered to the recipient.",
	expired: "The message could not be delivered within its validity.",
	operator_error: "The message could not be processed.",
	blocked: "The message was not delivered: the recipient does not take it.",
} as const;

export type FailureCode = keyof typeof FAILURE_TEXTS;
