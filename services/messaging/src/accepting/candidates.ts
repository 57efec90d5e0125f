import type { IdempotencyKey } from "@airtower/platform/idempotency";
import type { SendMessage } from "@airtower/proto/messaging/v1/messaging";

/** One message of a batch, with its place in the request. */
export interface Candidate {
	readonly place: number;
	readonly message: SendMessage;
	/** Lower case. */
	readonly organizationId: string;
	readonly key: IdempotencyKey | undefined;
}

/** A candidate whose own fields are in order. */
export interface CheckedCandidate extends Candidate {
	/** E.164 with "+". */
	readonly recipient: string;
	readonly segments: number;
}

/** A candidate with the sender it goes under. */
export interface AddressedCandidate extends CheckedCandidate {
	readonly senderId: string;
	readonly senderValue: string;
}

/** A candidate that is paid for. */
export interface ReservedCandidate extends AddressedCandidate {
	readonly messageId: string;
	readonly remainingQuota: bigint;
}

export function candidateOf(message: SendMessage, place: number): Candidate {
	const organizationId = message.organizationId.toLowerCase();
	const { idempotency } = message;
	return {
		place,
		message,
		organizationId,
		key:
			idempotency === undefined
				? undefined
				: {
						organizationId,
						key: idempotency.key,
						fingerprint: idempotency.fingerprint,
					},
	};
}
