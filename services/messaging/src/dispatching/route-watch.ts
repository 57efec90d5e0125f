import type { ReceiptVerdict } from "../domain/receipts/judge-receipts.ts";
import {
	type Circuit,
	judgeRoute,
	NEW_CIRCUIT,
	type Observation,
} from "../domain/route-circuit.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { Operator } from "../operators/operator.ts";

/** What one process finds of a route that it delivers on. */
export interface RouteWatch {
	readonly opinion: Pick<Circuit, "health" | "reason">;
	/** An attempt begins; returns what takes its result. */
	began(): (result: SubmitResult) => void;
	/** The operator responded to a submit after so many ms. */
	responded(ms: number): void;
	/** Judges what was seen since the last time; true when the opinion is another now. */
	judge(receipts: ReceiptVerdict): boolean;
}

/** Shortest time between two judgements of a route, ms. */
export const JUDGE_EVERY_MS = 250;
/** Of more than this between two judgements the process slept, or was starved, ms. */
const LONGEST_ELAPSED_MS = 2 * JUDGE_EVERY_MS;

export function createRouteWatch(
	operator: Pick<Operator, "status" | "capacity">,
): RouteWatch {
	let circuit = NEW_CIRCUIT;
	/** Of the attempts that began in the present state of health; what others end with was known already. */
	let period = { underWay: 0 };
	let good = 0;
	let bad = 0;
	let responses = 0;
	let responseMs = 0;
	let judgedAt = performance.now();

	function observe(receipts: ReceiptVerdict): Observation {
		const elapsedMs = performance.now() - judgedAt;
		const isAwake = elapsedMs <= LONGEST_ELAPSED_MS;
		const status = operator.status();
		return {
			elapsedMs: Math.min(elapsedMs, LONGEST_ELAPSED_MS),
			isWanted: status.bindsWanted > 0,
			isConnected: status.bound,
			canSend: status.bound || operator.capacity() > 0,
			isWaiting:
				status.outstanding > 0 &&
				period.underWay > 0 &&
				status.pausedUntil === undefined,
			good,
			bad,
			responses,
			responseMs: isAwake && responses > 0 ? responseMs / responses : undefined,
			receipts,
		};
	}

	return {
		get opinion() {
			return circuit;
		},
		began() {
			const mine = period;
			mine.underWay++;
			return ({ parts }) => {
				mine.underWay--;
				good += parts.filter(isGood).length;
				if (mine === period) bad += parts.filter(isBad).length;
			};
		},
		responded(ms) {
			responses++;
			responseMs += ms;
		},
		judge(receipts) {
			const before = circuit;
			circuit = judgeRoute(before, observe(receipts));
			judgedAt = performance.now();
			good = 0;
			bad = 0;
			responses = 0;
			responseMs = 0;
			const { health, reason } = circuit;
			if (health !== before.health) period = { underWay: 0 };
			return health !== before.health || reason !== before.reason;
		},
	};
}

function isGood(part: PartResult): boolean {
	return (
		part.kind === "accepted" || (part.kind === "refused" && part.permanent)
	);
}

/** Parts that were not written, or that the operator wants later, say nothing of the route. */
function isBad(part: PartResult): boolean {
	switch (part.kind) {
		case "refused":
			return !part.permanent;
		case "unclear":
		case "session":
		case "unknown":
			return true;
		default:
			return false;
	}
}
