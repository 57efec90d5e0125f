import type { ReservationResultSchema } from "@airtower/proto/accounts/v1/accounts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Decision, Refusal } from "../domain/reservation-decision.ts";

export type ReservationResultInit = MessageInitShape<
	typeof ReservationResultSchema
>;

const REFUSALS: Record<Refusal, string> = {
	quota_exhausted: "The organization's quota is used up; add quota first.",
	organization_suspended:
		"The organization is suspended or closed and may not send.",
	unknown_organization: "There is no such organization.",
	reservation_released:
		"This reservation was given back; send the message anew under another id.",
};

export function decisionToProto(decision: Decision): ReservationResultInit {
	if (decision.kind === "refused") return refusalToProto(decision.reason);
	const remaining = BigInt(decision.balanceAfter);
	return { result: { case: "granted", value: { remaining } } };
}

export function refusalToProto(reason: Refusal): ReservationResultInit {
	const value = { reason, message: REFUSALS[reason] };
	return { result: { case: "refused", value } };
}
