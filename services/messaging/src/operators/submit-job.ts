import type { Span } from "@airtower/platform/tracing/spans";
import type { PartOutcome } from "../domain/submit-result.ts";
import type { FreeBind } from "./session/bind-pool.ts";
import type { PduFields } from "./session/smpp-pdu.ts";

export interface Job {
	readonly fields: PduFields;
	readonly message: MessageInFlight;
	readonly settle: (outcome: PartOutcome) => void;
	readonly deadline: number;
}

export interface MessageInFlight {
	refused: boolean;
	/** Where its first part went. The others follow: one attempt breaks no more than one connection. */
	via?: FreeBind;
	readonly mayWrite: () => boolean;
	/** Of its dispatch; undefined for a message that is not traced. */
	readonly span?: Span | undefined;
}

export const NO_SLOT = "no free slot";

/** Why a part is not written although it is its turn: it may have waited while the process stood still. */
export function obstacleTo(
	{ message, deadline }: Job,
	now: number,
): string | undefined {
	if (message.refused) return "another part was refused";
	if (message.via && isGone(message.via)) return "its connection is gone";
	if (deadline <= now) return NO_SLOT;
	return message.mayWrite() ? undefined : "no longer this process's to send";
}

export function isGone({ bind, connection }: FreeBind): boolean {
	return bind.connection !== connection;
}
