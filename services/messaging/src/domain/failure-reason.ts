/** Reasons that an operator's statuses and codes may stand for. */
export const operatorReasons = [
	"rejected",
	"undeliverable",
	"expired",
	"operator_error",
	"blocked",
	"unknown_subscriber",
] as const;

/** Why a message failed, in the words of the public API. */
export type MessageFailureReason =
	| (typeof operatorReasons)[number]
	| "no_receipt"
	| "recipient_opted_out";

export const FAILURE_TEXTS: Record<MessageFailureReason, string> = {
	rejected: "The operator refused the message.",
	undeliverable: "The message could not be delivered to the recipient.",
	expired: "The message could not be delivered within its validity.",
	operator_error: "The operator could not process the message.",
	blocked: "The message was blocked by the operator or the recipient.",
	unknown_subscriber: "The number is not in service.",
	recipient_opted_out:
		"The recipient opted out before all of the message was sent.",
	no_receipt: "The operator never reported what became of the message.",
};
