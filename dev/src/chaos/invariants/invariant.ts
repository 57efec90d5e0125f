import type { Trial } from "../trial.ts";

export interface Invariant {
	readonly name: `I${number}`;
	/** Returns what is not as promised, a sentence each; none when all is. */
	check(trial: Trial): Promise<string[]>;
	/** True when a check may only be believed once the system is quiet: it is repeated until then. */
	readonly waits?: true;
}

const SHOWN = 3;

/** One sentence for all of them; none when there are none. */
export function complaint(what: string, ids: readonly string[]): string[] {
	if (ids.length === 0) return [];
	const more = ids.length > SHOWN ? ", ..." : "";
	return [`${ids.length} ${what}: ${ids.slice(0, SHOWN).join(", ")}${more}`];
}
