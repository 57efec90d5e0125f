import {
	type RetryLimits,
	retryDelay,
	withJitter,
} from "@airtower/platform/runtime/retry-delay";
import type { MessageFailureReason } from "./failure-reason.ts";
import type { PartResult, SubmitResult } from "./submit-result.ts";

export interface AttemptHistory {
	readonly takenParts: readonly number[];
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
}

export type AttemptOutcome =
	| { readonly kind: "submitted" }
	| { readonly kind: "failed"; readonly reason: MessageFailureReason }
	| UnknownOutcome
	| PostponedOutcome;

interface UnknownOutcome {
	readonly kind: "unknown";
	/** True when another attempt would cost another connection. */
	readonly mustNotResend?: true;
	/** True when this attempt sent nothing, but an earlier one may have. */
	readonly isUnsent?: true;
}

interface PostponedOutcome {
	readonly kind: "postponed";
	readonly delayMs: number;
	/** It is due as it was, so that it goes again before what came after it; `delayMs` does not hold. */
	readonly keepsPlace: boolean;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
	readonly countsAsAttempt: boolean;
	/** Where it goes from here; undefined: it stays with its route. */
	readonly route?: string | undefined;
	/** Routes that it does not go back to before the next refusal that it waits after. */
	readonly triedRoutes: readonly string[];
}

/** The routes of a message besides its present one, as the rules and their health are when it was refused. */
export interface OtherRoutes {
	readonly present: string;
	/** Whether the present one has throttled for so long that others may take what it throttles. */
	isOverloaded(): boolean;
	/** Those that refused the message in this attempt before. */
	readonly tried: readonly string[];
	/** A healthy one among the others. */
	findOther(): string | undefined;
	/** The one that it would take were it new. */
	findFirst(): string | undefined;
}

/** Keeps a failing connection from spinning, ms. */
const UNSENT_DELAY_MS = 250;
const UNCLEAR_DELAY_MS = 5_000;
/** Pause of a throttled route for which a message keeps its place, ms: the route itself waits so long. */
const SHORT_PAUSE_MS = 1_000;
/** Connections that one message may cost. */
const MAX_SESSION_REFUSALS = 2;

/**
 * A message that its route refused for a reason of its own goes to the next route at once, and waits only after every
 * one has refused it: so it is given to no route twice without a wait in between.
 * @param random within [0, 1)
 */
export function decideAttempt(
	result: SubmitResult,
	history: AttemptHistory,
	random: number,
	routes: OtherRoutes,
): AttemptOutcome {
	const { parts } = result;
	const fatal = parts.find((part) => isFatal(part, history));
	if (fatal !== undefined) return { kind: "failed", reason: fatal.reason };
	if (countSessionRefusals(parts, history) >= MAX_SESSION_REFUSALS)
		return { kind: "unknown", mustNotResend: true };
	if (parts.some((part) => part.kind === "unknown")) return { kind: "unknown" };
	const taken = new Set(history.takenParts);
	for (const part of parts) if (part.kind === "accepted") taken.add(part.part);
	if (taken.size >= result.total) return { kind: "submitted" };
	if (taken.size > 0) return postpone(parts, history, random);
	return goOn(postpone(parts, history, random), parts, history, routes);
}

/** Only of a message of which the operator has no part: the parts of one message go by one route. */
function goOn(
	postponed: PostponedOutcome,
	parts: readonly PartResult[],
	{ refusals }: AttemptHistory,
	routes: OtherRoutes,
): PostponedOutcome {
	const { present, tried, findOther, findFirst } = routes;
	if (!postponed.countsAsAttempt) return { ...postponed, triedRoutes: tried };
	const route = isRoutesRefusal(parts, routes) ? findOther() : undefined;
	if (route !== undefined) {
		const triedRoutes = [...tried, present];
		return { ...postponed, route, triedRoutes, delayMs: 0, refusals };
	}
	return tried.length > 0 ? { ...postponed, route: findFirst() } : postponed;
}

/**
 * Another route may take what this one refused. A refused session is made anew, and the message goes over it once more.
 */
function isRoutesRefusal(
	parts: readonly PartResult[],
	{ isOverloaded }: OtherRoutes,
): boolean {
	const kinds = new Set(parts.map(({ kind }) => kind));
	if (kinds.has("session")) return false;
	if (kinds.has("refused") || kinds.has("unclear")) return true;
	return kinds.has("throttled") && isOverloaded();
}

function isFatal(
	part: PartResult,
	history: AttemptHistory,
): part is Extract<PartResult, { reason: MessageFailureReason }> {
	if (part.kind === "refused") return part.permanent;
	return part.kind === "unclear" && history.unclear;
}

function countSessionRefusals(
	parts: readonly PartResult[],
	{ sessionRefusals }: AttemptHistory,
): number {
	const isRefused = parts.some((part) => part.kind === "session");
	return sessionRefusals + (isRefused ? 1 : 0);
}

function postpone(
	parts: readonly PartResult[],
	history: AttemptHistory,
	random: number,
): PostponedOutcome {
	const refused = parts.some((part) => part.kind === "refused");
	const refusals = history.refusals + (refused ? 1 : 0);
	const unclear = parts.some((part) => part.kind === "unclear");
	const delays = parts.map((part) => delayOf(part, refusals, random));
	return {
		kind: "postponed",
		delayMs: Math.max(UNSENT_DELAY_MS, ...delays),
		keepsPlace: isBrieflyThrottled(parts),
		refusals,
		unclear: history.unclear || unclear,
		sessionRefusals: countSessionRefusals(parts, history),
		countsAsAttempt: parts.some((part) => part.kind !== "unsent"),
		triedRoutes: [],
	};
}

function isBrieflyThrottled(parts: readonly PartResult[]): boolean {
	return (
		parts.some(({ kind }) => kind === "throttled") &&
		parts.every(
			(part) =>
				part.kind === "accepted" ||
				part.kind === "unsent" ||
				(part.kind === "throttled" && part.retryAfterMs <= SHORT_PAUSE_MS),
		)
	);
}

function delayOf(part: PartResult, refusals: number, random: number): number {
	switch (part.kind) {
		case "refused":
			return retryDelayMs(refusals, random);
		case "throttled":
			return part.retryAfterMs;
		case "unsent":
			return part.retryAfterMs ?? 0;
		case "unclear":
			return UNCLEAR_DELAY_MS;
		default:
			return 0;
	}
}

/** After the first refusal, ms. */
export const FIRST_WAIT_MS = 2_000;
const RETRY: RetryLimits = { firstMs: FIRST_WAIT_MS, longestMs: 600_000 };

/** Wait after a temporary refusal, ms. `refusals` so far, from 1; `random` within [0, 1). */
export function retryDelayMs(refusals: number, random: number): number {
	return withJitter(retryDelay(refusals, RETRY), random);
}

/**
 * What is done with a message that was sent on a route without a response: as UNKNOWN_POLICY says, hold it, send it
 * once more, or send it once more by another route.
 */
export const unknownPolicies = [
	"setting",
	"hold",
	"resend",
	"failover",
] as const;
export type UnknownPolicy = (typeof unknownPolicies)[number];

export interface UnknownLimits {
	/** Time that a receipt gets to resolve a message sent without a response, ms. */
	readonly unknownWaitMs: number;
	readonly unknownPolicy: "resend_once" | "hold";
	/** Until an unknown message that does not go again fails, ms; null: the end of its validity. */
	readonly unknownDeadlineMs: number | null;
}

export interface UnknownTimes {
	/** Until a message goes once more; null: it does not. */
	readonly waitMs: number | null;
	/** Until one that does not go again ends; null: its validity. */
	readonly deadlineMs: number | null;
}

/** Of a message that has been sent once, by a route of this policy. */
export function unknownTimes(
	limits: UnknownLimits,
	policy: UnknownPolicy,
): UnknownTimes {
	const { unknownWaitMs, unknownDeadlineMs } = limits;
	const waitMs = holdsUnknown(limits, policy) ? null : unknownWaitMs;
	return { waitMs, deadlineMs: unknownDeadlineMs };
}

/** Whether a message without a response does not go again, on a route of this policy. */
export function holdsUnknown(
	{ unknownPolicy }: Pick<UnknownLimits, "unknownPolicy">,
	policy: UnknownPolicy,
): boolean {
	return (policy === "setting" ? unknownPolicy : policy) === "hold";
}
