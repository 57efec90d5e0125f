import { canonicalKeys } from "../domain/operator-message-id.ts";
import {
	failureReason,
	statusKind,
	statusText,
} from "../domain/smpp-status.ts";
import type { PartAccepted, PartOutcome } from "../domain/submit-result.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { Response } from "./session/pending-requests.ts";
import { type Pdu, textField } from "./session/smpp-pdu.ts";

/** What the operator's response to a submit_sm says of the part. */
export function outcomeOf(
	pdu: Pdu,
	route: SmppRoute,
	retryAfterMs: number,
): PartOutcome {
	if (pdu.status === 0) return accepted(pdu, route);
	const kind = statusKind(pdu.status, route.statuses);
	const operatorError = statusText(pdu.status);
	const reason = failureReason(pdu.status, kind);
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
