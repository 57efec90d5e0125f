import type { Lane } from "../domain/lanes.ts";

export interface OutgoingMessage {
	readonly messageId: string;
	readonly organizationId: string;
	readonly lane: Lane;
	/** Of the client that sent the message; null without one. */
	readonly clientReference: string | null;
	readonly attempt: number;
	readonly to: string;
	readonly sender: string;
	readonly body: string;
	readonly validitySeconds: number;
	/** Concatenation reference, 0-255, the same for every attempt: parts of several attempts still fit together. */
	readonly reference: number;
	/** Numbers of the parts to submit, from 1. Absent: all of them. */
	readonly onlyParts?: readonly number[];
	/**
	 * Of how many parts those are that the operator has already, and how the text was split into them. Where it is split in
	 * another way now, they do not fit together, and all are submitted.
	 */
	readonly partCount?: number;
	readonly split?: number;
}
