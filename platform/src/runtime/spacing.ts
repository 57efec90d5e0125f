import { followSpareCpu } from "./spare-cpu.ts";

/** Distance of calls on a machine that has no time to spare, ms. */
const LONGEST_MS = 25;
/** With so much of the CPUs' time idle calls keep no distance, and with so little the longest. */
const NONE_FROM = 0.25;
const LONGEST_BELOW = 0.1;
/** Part of the way to what a stretch of time asks for. */
const STEP = 0.5;

/**
 * The time that should lie between the beginnings of two calls on behalf of many callers, ms. What a call
 * costs whatever it carries is most of its cost: where time is scarce, fewer and larger calls leave more of
 * it to all that follows them. With time to spare it is 0, and nobody waits.
 */
export const callSpacing = followSpareCpu(0, nextSpacing);

/** The next distance after one, when so much of the CPUs' time was idle, in [0, 1]. */
export function nextSpacing(spacing: number, idle: number): number {
	const scarcity = (NONE_FROM - idle) / (NONE_FROM - LONGEST_BELOW);
	const wanted = LONGEST_MS * Math.min(1, Math.max(0, scarcity));
	return spacing + (wanted - spacing) * STEP;
}
