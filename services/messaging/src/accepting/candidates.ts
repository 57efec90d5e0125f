import type { BatchItem } from "@airtower/platform/work/batch-answers";
import type { SendMessage } from "@airtower/proto/messaging/v1/messaging";

/** One message of a batch. */
export type Candidate = BatchItem<SendMessage>;

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
