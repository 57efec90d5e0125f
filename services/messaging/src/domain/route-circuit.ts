import {
	type RetryLimits,
	retryDelay,
} from "@airtower/platform/runtime/retry-delay";
import { type Mean, moveMean, NO_MEAN } from "./moving-mean.ts";
import type { ReceiptVerdict } from "./receipts/judge-receipts.ts";
import type { Illness, RouteHealth } from "./route-health.ts";

/** What a process has seen of a route since it judged it last. */
export interface Observation {
	/** Time since then, ms; less where the process stood still, whose sleep is no silence of the operator. */
	readonly elapsedMs: number;
	/** The process has connections of the route, up or not. */
	readonly isWanted: boolean;
	/** One is up. */
	readonly isConnected: boolean;
	/** Something can be sent, if only to find out whether the operator is there. */
	readonly canSend: boolean;
	/** Submits of this state of health wait for a response. */
	readonly isWaiting: boolean;
	/** Parts that the operator took, or refused for good. */
	readonly good: number;
	/** Parts that it refused for now or for no clear reason, or did not respond to; submitted in this state of health. */
	readonly bad: number;
	/** Responses to submits, good or bad. */
	readonly responses: number;
	/** Mean time from the submit to the response, ms; undefined without any, or where the process slept meanwhile. */
	readonly responseMs: number | undefined;
	readonly receipts: ReceiptVerdict;
}

/** One process's opinion of a route and what it rests on. */
export interface Circuit {
	/** Null while the process has no opinion: none of the route's connections, or not connected yet. */
	readonly health: RouteHealth | null;
	/** Of "down" and "trial". */
	readonly reason: Illness | null;
	/** Time in this state of health, ms. */
	readonly sinceMs: number;
	readonly unconnectedMs: number;
	readonly silentMs: number;
	/** In a row. */
	readonly failedTrials: number;
	/** Parts responded to well, lately and in this state of health. */
	readonly good: number;
	/** Share of what failed, 0 to 1, and time of a response, ms: lately and in this state of health. */
	readonly errors: Mean;
	readonly responseMs: Mean;
	/** The same in the route's past. */
	readonly usualErrors: Mean;
	readonly usualResponseMs: Mean;
}

/** Longer than a connection takes to be made anew after a change of settings, ms. */
const UNCONNECTED_MS = 1_500;
/** Of a process that has just taken over a connection: others may be up, and its own takes a handshake and a bind. */
const FIRST_CONNECT_MS = 5_000;
/** Shorter silences are those of a busy machine; with the reading of the health traffic moves within 5 s, ms. */
const SILENT_MS = 2_000;
/** An operator that usually takes long is waited for so many times as long. */
const SILENT_TIMES = 4;
/** Fewer failures in a row may be of the messages: one sender, one range of numbers. */
const LEAST_ERRORS = 10;
/**
 * The share of failures is "far above the past" from three times the usual one and a fifth more; nine tenths always
 * are.
 */
const ERRORS_TIMES = 3;
const ERRORS_MORE = 0.2;
const ERRORS_MOST = 0.9;
/** Responses are slow from five times the usual time on, and never below two seconds: a busy machine needs as long. */
const SLOW_TIMES = 5;
const SLOW_MS = 2_000;
const LEAST_RESPONSES = 10;
/** A usual response time is known after so many responses. */
const KNOWN_RESPONSES = 50;
/** Of how many values the means of lately and of the past are. */
const RECENT_PARTS = 50;
const RECENT_RESPONSES = 20;
const USUAL_VALUES = 1_000;
/** A route begins with the past of so many parts without a failure: its first failures are not what is usual. */
const FIRST_PAST: Mean = { value: 0, count: 100 };
/** Until a route that is down is tried, ms; doubled with each trial that fails. */
const TRIAL_WAIT: RetryLimits = { firstMs: 5_000, longestMs: 60_000 };
/** Receipts take minutes: waits and trials for their sake have a length of their own, ms. */
const RECEIPTS_WAIT_MS = 60_000;
const RECEIPTS_TRIAL_MS = 10_000;
/** A trial passes with so many good parts. */
const GOOD_IN_TRIAL = 3;
/** A connection that is up again and held so long passes too, for a route that has no traffic, ms. */
const HELD_IN_TRIAL_MS = 30_000;

const FRESH = {
	sinceMs: 0,
	unconnectedMs: 0,
	silentMs: 0,
	good: 0,
	errors: NO_MEAN,
	responseMs: NO_MEAN,
} as const;

export const NEW_CIRCUIT: Circuit = {
	...FRESH,
	health: null,
	reason: null,
	failedTrials: 0,
	usualErrors: FIRST_PAST,
	usualResponseMs: NO_MEAN,
};

/**
 * The opinion after an observation:
 * null -> up | down; up -> down; down -> trial; trial -> up | down. Receipts that come take a route up from both.
 */
export function judgeRoute(before: Circuit, seen: Observation): Circuit {
	if (!seen.isWanted) {
		const { usualErrors, usualResponseMs } = before;
		return { ...NEW_CIRCUIT, usualErrors, usualResponseMs };
	}
	const circuit = learn(before, seen);
	switch (circuit.health) {
		case "down":
			return judgeDown(circuit, seen);
		case "trial":
			return judgeTrial(circuit, seen);
		default: {
			const illness = findIllness(circuit, seen, LEAST_ERRORS);
			if (illness !== undefined) return goDown(circuit, illness);
			return circuit.health === null && seen.isConnected
				? goUp(circuit)
				: circuit;
		}
	}
}

function judgeDown(circuit: Circuit, seen: Observation): Circuit {
	const { reason, sinceMs, unconnectedMs, failedTrials } = circuit;
	if (reason === "no_receipts" && seen.receipts === "coming")
		return goUp(circuit);
	if (reason !== "not_connected" && unconnectedMs >= UNCONNECTED_MS)
		return { ...circuit, reason: "not_connected" };
	const isBack =
		reason === "not_connected" ||
		(reason === "no_response" && seen.responses > 0) ||
		sinceMs >= waitMs(reason, failedTrials);
	return isBack && seen.canSend
		? { ...circuit, ...FRESH, health: "trial" }
		: circuit;
}

/** Before a route that is down is tried, ms. */
function waitMs(reason: Illness | null, failedTrials: number): number {
	if (reason === "no_receipts") return RECEIPTS_WAIT_MS;
	return retryDelay(failedTrials + 1, TRIAL_WAIT);
}

function judgeTrial(circuit: Circuit, seen: Observation): Circuit {
	const { reason, sinceMs, good } = circuit;
	const illness = findIllness(circuit, { ...seen, receipts: "undecided" }, 1);
	if (illness !== undefined) return goDown(circuit, illness);
	if (reason === "no_receipts") {
		if (seen.receipts === "coming") return goUp(circuit);
		return sinceMs >= RECEIPTS_TRIAL_MS ? goDown(circuit, reason) : circuit;
	}
	const isHeld = reason === "not_connected" && seen.isConnected;
	return good >= GOOD_IN_TRIAL || (isHeld && sinceMs >= HELD_IN_TRIAL_MS)
		? goUp(circuit)
		: circuit;
}

function goUp(circuit: Circuit): Circuit {
	return { ...circuit, ...FRESH, health: "up", reason: null, failedTrials: 0 };
}

function goDown(circuit: Circuit, reason: Illness): Circuit {
	const { health, failedTrials } = circuit;
	return {
		...circuit,
		...FRESH,
		health: "down",
		reason,
		failedTrials: health === "trial" ? failedTrials + 1 : 0,
	};
}

/** @param leastErrors that are one */
function findIllness(
	circuit: Circuit,
	seen: Observation,
	leastErrors: number,
): Illness | undefined {
	const { health, unconnectedMs, silentMs, errors, responseMs } = circuit;
	const longest = health === null ? FIRST_CONNECT_MS : UNCONNECTED_MS;
	if (unconnectedMs >= longest) return "not_connected";
	if (silentMs >= longestSilence(circuit)) return "no_response";
	const failed = errors.value * errors.count;
	// The sum of fractions is not quite whole.
	if (failed > leastErrors - 0.5 && errors.value > mostErrors(circuit))
		return "errors";
	const least = health === "trial" ? GOOD_IN_TRIAL : LEAST_RESPONSES;
	if (responseMs.count >= least && responseMs.value > slowFrom(circuit))
		return "slow";
	return seen.receipts === "missing" ? "no_receipts" : undefined;
}

function longestSilence({ usualResponseMs }: Circuit): number {
	return Math.max(SILENT_MS, SILENT_TIMES * usualResponseMs.value);
}

function mostErrors({ usualErrors }: Circuit): number {
	return Math.min(ERRORS_MORE + ERRORS_TIMES * usualErrors.value, ERRORS_MOST);
}

function slowFrom({ usualResponseMs: { value, count } }: Circuit): number {
	if (count < KNOWN_RESPONSES) return Number.POSITIVE_INFINITY;
	return Math.max(SLOW_MS, SLOW_TIMES * value);
}

/** Takes an observation in; what happens while the route is down is no part of what is usual. */
function learn(circuit: Circuit, seen: Observation): Circuit {
	const { elapsedMs, isConnected, canSend, isWaiting } = seen;
	const { good, bad, responses } = seen;
	const { health, unconnectedMs, silentMs, sinceMs } = circuit;
	const isSilent = isWaiting && responses === 0;
	// Only a message shows whether an operator over HTTP is there again.
	const isThere = health === "trial" ? canSend : isConnected;
	const { responseMs } = seen;
	const times =
		responseMs === undefined
			? { sum: 0, count: 0 }
			: { sum: responseMs * responses, count: responses };
	const failures = { sum: bad, count: good + bad };
	return {
		...circuit,
		sinceMs: sinceMs + elapsedMs,
		unconnectedMs: isThere ? 0 : unconnectedMs + elapsedMs,
		silentMs: isSilent ? silentMs + elapsedMs : 0,
		good: circuit.good + good,
		errors: moveMean(circuit.errors, failures, RECENT_PARTS),
		responseMs: moveMean(circuit.responseMs, times, RECENT_RESPONSES),
		...(health !== "down" && {
			usualErrors: moveMean(circuit.usualErrors, failures, USUAL_VALUES),
			usualResponseMs: moveMean(circuit.usualResponseMs, times, USUAL_VALUES),
		}),
	};
}
