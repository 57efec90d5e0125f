/** How long a process stands still, ms: `FROZEN=real` takes the whole minute. */
export function frozenMs(short: number): number {
	return process.env.FROZEN === "real" ? 60_000 : short;
}
