/** Of a route whose binds the operator refuses for its credentials, ms. */
export interface RefusalLimits {
	/** A session that was bound for so long shows that the credentials are right. */
	readonly provenMs: number;
	/** Waits after the first refusals of such credentials. */
	readonly refusedSoonMs: readonly number[];
	/** The wait after every other refusal. */
	readonly refusedRetryMs: number;
}

/**
 * Wait of a whole route before its next bind after one that was refused, ms. Operators lock accounts for repeated wrong
 * passwords, not for one: credentials that have held are tried soon again, a few times.
 *
 * @param refusals in a row, from 1
 * @param heldMs longest time that a session was bound since a refusal last had the full wait; 0 when there was none
 */
export function refusedBindWait(
	refusals: number,
	heldMs: number,
	{ provenMs, refusedSoonMs, refusedRetryMs }: RefusalLimits,
): number {
	const soonMs = heldMs >= provenMs ? refusedSoonMs[refusals - 1] : undefined;
	return soonMs ?? refusedRetryMs;
}
