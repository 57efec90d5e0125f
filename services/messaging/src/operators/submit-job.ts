import {
	endSpan,
	type Span,
	SpanKind,
	startSpan,
} from "@airtower/platform/tracing/spans";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import type { Lane } from "../domain/lanes.ts";
import { canonicalKeys } from "../domain/operator-message-id.ts";
import {
	failureReason,
	statusKind,
	statusText,
} from "../domain/smpp-status.ts";
import type { PartAccepted, PartOutcome } from "../domain/submit-result.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { FreeBind } from "./session/bind-pool.ts";
import type { Response } from "./session/pending-requests.ts";
import { type Pdu, type PduFields, textField } from "./session/smpp-pdu.ts";
import { NOT_OURS, type Queued } from "./submit-queue.ts";

export interface Job extends Queued {
	readonly fields: PduFields;
	readonly message: MessageInFlight;
	readonly settle: (outcome: PartOutcome) => void;
}

export interface MessageInFlight {
	readonly lane: Lane;
	refused: boolean;
	/** Where its first part went. The others follow: one attempt breaks no more than one connection. */
	via?: FreeBind;
	readonly mayWrite: () => boolean;
	/** Of its dispatch; undefined for a message that is not traced. */
	readonly span?: Span | undefined;
}

/** Why a part is not written although it is its turn. */
export function obstacleTo({ message }: Job): string | undefined {
	if (message.refused) return "another part was refused";
	if (message.via && isGone(message.via)) return "its connection is gone";
	return message.mayWrite() ? undefined : NOT_OURS;
}

export function isGone({ bind, connection }: FreeBind): boolean {
	return bind.connection !== connection;
}

/** Within that of the dispatch; none where that is not traced. */
export function startSubmitSpan(
	dispatch: Span | undefined,
	{ code }: SmppRoute,
): Span | undefined {
	if (dispatch === undefined) return undefined;
	return startSpan("smpp submit_sm", traceparentOf(dispatch), {
		kind: SpanKind.CLIENT,
		attributes: { route: code },
	});
}

export function endSubmitSpan(span: Span, response: Response): void {
	if (response.kind !== "responded") {
		endSpan(span, response.kind);
		return;
	}
	const { status } = response.pdu;
	span.setAttribute("smpp.command_status", status);
	endSpan(span, status === 0 ? undefined : statusText(status));
}

/** What the operator's response to a submit_sm says of the part. */
export function outcomeOf(
	pdu: Pdu,
	route: SmppRoute,
	retryAfterMs: number,
): PartOutcome {
	if (pdu.status === 0) return accepted(pdu, route);
	const kind = statusKind(pdu.status, route.statuses);
	const operatorError = statusText(pdu.status);
	const own = route.reasons.statuses.get(pdu.status);
	const reason = own ?? failureReason(pdu.status, kind);
	if (kind === "session") return { kind, operatorError };
	if (kind === "throttled") return { kind, operatorError, retryAfterMs };
	if (kind === "unclear") return { kind, reason, operatorError };
	const permanent = kind === "permanent";
	return { kind: "refused", permanent, reason, operatorError };
}

function accepted(pdu: Pdu, route: SmppRoute): PartAccepted {
	const operatorMessageId = textField(pdu, "message_id") ?? "";
	const [storeKey = ""] = canonicalKeys(operatorMessageId, route.responseIds);
	return { kind: "accepted", operatorMessageId, storeKey };
}

/** What became of a part that was written, or was to be; `read` takes in the operator's response. */
export function toPartOutcome(
	response: Response,
	read: (pdu: Pdu) => PartOutcome,
): PartOutcome {
	if (response.kind === "unwritten")
		return { kind: "unsent", why: response.why };
	if (response.kind === "lost") return toUnknown(response, read);
	const { pdu } = response;
	if (pdu.command !== "submit_sm_resp" && pdu.status === 0)
		return { kind: "unknown", why: `responded with ${pdu.command}` };
	return read(pdu);
}

function toUnknown(
	{ why, late }: Extract<Response, { kind: "lost" }>,
	read: (pdu: Pdu) => PartOutcome,
): PartOutcome {
	if (late === undefined) return { kind: "unknown", why };
	const outcome = late.then(
		(pdu) => pdu && toPartOutcome({ kind: "responded", pdu }, read),
	);
	return { kind: "unknown", why, late: outcome };
}
