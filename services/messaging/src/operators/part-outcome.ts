import type { PartOutcome } from "../domain/submit-result.ts";
import type { Response } from "./session/pending-requests.ts";
import type { Pdu } from "./session/smpp-pdu.ts";

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
