import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { RouteName } from "../operators/operator.ts";
import type { Telemetry } from "../telemetry.ts";

/** Statuses that SMPP and its vendors use are below; an operator that makes up others cannot fill the metrics. */
const HIGHEST_STATUS = 0x4ff;

export function countSubmits(
	{ submits }: Telemetry,
	{ code: route }: RouteName,
	{ parts }: SubmitResult,
): void {
	for (const part of parts) {
		const status = statusOf(part);
		if (status !== undefined) submits.inc({ route, status });
	}
}

/** Undefined for a part that was not written. */
function statusOf(part: PartResult): string | undefined {
	if (part.kind === "unsent") return undefined;
	if (part.kind === "accepted") return "0x00";
	if (part.kind === "unknown") return "none";
	return Number(part.operatorError) <= HIGHEST_STATUS
		? part.operatorError
		: "other";
}
