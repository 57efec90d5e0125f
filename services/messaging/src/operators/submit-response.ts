import { canonicalKeys } from "../domain/operator-message-id.ts";
import {
	failureReason,
	statusKind,
	statusText,
} from "../domain/smpp-status.ts";
import type { PartAccepted, PartOutcome } from "../domain/submit-result.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import { textField } from "./session/pdu-fields.ts";
import type { Pdu } from "./session/smpp-pdu.ts";

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
