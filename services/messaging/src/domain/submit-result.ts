import type { MessageFailureReason } from "./failure-reason.ts";

export type PartOutcome =
	| PartAccepted
	/** The operator does not have it. Temporary: may go again after a delay. Permanent: never. */
	| {
			readonly kind: "refused";
			readonly permanent: boolean;
			readonly reason: MessageFailureReason;
			readonly operatorError: string;
	  }
	/** The operator does not have it and wants less traffic: the whole route waits by itself. */
	| {
			readonly kind: "throttled";
			readonly operatorError: string;
			readonly retryAfterMs: number;
	  }
	/** The operator refused for no clear reason: once more, then failed. */
	| {
			readonly kind: "unclear";
			readonly reason: MessageFailureReason;
			readonly operatorError: string;
	  }
	/** The operator refused the session over it, and does not have it: the connection is given up. */
	| { readonly kind: "session"; readonly operatorError: string }
	| PartUnsent
	| PartUnknown;

/** The operator has it and will send a receipt. */
export interface PartAccepted {
	readonly kind: "accepted";
	/** As it was received; empty when the operator gave none, which no receipt ever matches. */
	readonly operatorMessageId: string;
	/** The form of the id to store, unique within the operator account. See `Receipt.matchKeys`. */
	readonly storeKey: string;
}

/** Provably never taken by the operator: may go again freely, without counting as an attempt. */
export interface PartUnsent {
	readonly kind: "unsent";
	readonly why: string;
	/** When it is its turn; absent where it may go again as soon as there is a place. */
	readonly retryAfterMs?: number;
}

/** Written, and no response came: the operator may or may not have it. */
interface PartUnknown {
	readonly kind: "unknown";
	readonly why: string;
	/** What the response says if it comes after all; undefined once it cannot. Never rejects. */
	readonly late?: Promise<PartOutcome | undefined>;
}

export type PartResult = PartOutcome & { readonly part: number };

export interface SubmitResult {
	readonly total: number;
	readonly parts: readonly PartResult[];
	/** How the text was split; absent where it is one part. */
	readonly split?: number;
	/** True when all parts were submitted although the operator has some: those are of another split. */
	readonly isResplit?: boolean;
}
