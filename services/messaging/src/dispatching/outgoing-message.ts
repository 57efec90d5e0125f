import type { OutgoingMessage } from "../operators/operator.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";

export function toOutgoing(
	message: ClaimedMessage,
	validityMs: number,
): OutgoingMessage {
	const missing = missingParts(message);
	return {
		messageId: message.messageId,
		attempt: message.attempt,
		to: message.recipient,
		sender: message.senderValue,
		body: message.body,
		validitySeconds: Math.max(1, Math.floor(validityMs / 1_000)),
		reference: message.concatReference,
		...(missing && { onlyParts: missing }),
	};
}

/** Undefined when the operator took none of its parts yet. */
function missingParts({ takenParts, partCount }: ClaimedMessage) {
	if (partCount === null) return undefined;
	const all = Array.from({ length: partCount }, (_, index) => index + 1);
	return all.filter((part) => !takenParts?.includes(part));
}
