import type { MessageFailureReason } from "../failure-reason.ts";

export type ReceiptState = "delivered" | "failed" | "intermediate";

export interface NetworkError {
	readonly network: number;
	readonly code: number;
}

export interface ReceiptMeaning {
	readonly state: ReceiptState;
	readonly reason?: MessageFailureReason;
}

const DELIVERED: ReceiptMeaning = { state: "delivered" };
const INTERMEDIATE: ReceiptMeaning = { state: "intermediate" };
const failed = (reason: MessageFailureReason): ReceiptMeaning => ({
	state: "failed",
	reason,
});

/** SMPP 3.4, appendix B, and its vendors. */
const MEANING_OF_STAT: ReadonlyMap<string, ReceiptMeaning> = new Map([
	["DELIVRD", DELIVERED],
	["DELIVERED", DELIVERED],
	["ACCEPTD", INTERMEDIATE],
	["ACCEPTED", INTERMEDIATE],
	["ENROUTE", INTERMEDIATE],
	["ACKED", INTERMEDIATE],
	["BUFFRED", INTERMEDIATE],
	["BUFFERD", INTERMEDIATE],
	["BUFFERED", INTERMEDIATE],
	["UNDELIV", failed("undeliverable")],
	["UNDELIVERABLE", failed("undeliverable")],
	["UNDELIVERED", failed("undeliverable")],
	["FAILED", failed("undeliverable")],
	["EXPIRED", failed("expired")],
	["DELETED", failed("operator_error")],
	["REJECTD", failed("rejected")],
	["REJECTED", failed("rejected")],
	["UNKNOWN", failed("operator_error")],
]);

/** message_state (SMPP 3.4, 5.2.28). */
const STAT_OF_STATE: ReadonlyMap<number, string> = new Map([
	[1, "ENROUTE"],
	[2, "DELIVRD"],
	[3, "EXPIRED"],
	[4, "DELETED"],
	[5, "UNDELIV"],
	[6, "ACCEPTD"],
	[7, "UNKNOWN"],
	[8, "REJECTD"],
]);

/** MAP errors (3GPP TS 29.002) that name the subscriber, under network type 3, GSM. */
const GSM_NETWORK = 3;
const REASON_OF_MAP_ERROR: ReadonlyMap<number, MessageFailureReason> = new Map([
	[1, "unknown_subscriber"],
	[5, "unknown_subscriber"],
	[9, "blocked"],
	[13, "blocked"],
]);

export function statOfState(state: number | undefined): string | undefined {
	return state === undefined ? undefined : STAT_OF_STATE.get(state);
}

/** A word that nobody knows is "intermediate": a later receipt may still say how it ended. */
export function meaningOfStat(
	stat: string,
	error: NetworkError | undefined,
): ReceiptMeaning {
	const meaning = MEANING_OF_STAT.get(stat) ?? INTERMEDIATE;
	if (meaning.state !== "failed" || error?.network !== GSM_NETWORK)
		return meaning;
	const reason = REASON_OF_MAP_ERROR.get(error.code);
	return reason === undefined ? meaning : failed(reason);
}
