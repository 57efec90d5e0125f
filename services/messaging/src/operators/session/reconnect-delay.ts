import type { SmppLimits } from "./smpp-limits.ts";

/** Failures in a row, after a session that was bound for so long; one that held counts as none. */
export function nextFailures(
	failures: number,
	boundMs: number,
	{ stableAfterMs }: SmppLimits,
): number {
	return boundMs >= stableAfterMs ? 1 : failures + 1;
}

/** Wait before the next attempt to connect, ms. `failures` in a row, from 1; `random` within [0, 1). */
export function reconnectDelay(
	failures: number,
	random: number,
	limits: SmppLimits,
): number {
	const bound = limits.reconnectMinMs * 2 ** (failures - 1);
	return random * Math.min(limits.reconnectMaxMs, bound);
}
