import type { Load } from "./load/load.ts";
import type { Random } from "./random.ts";
import type { ChaosSystem } from "./target/chaos-system.ts";
import type { Baseline } from "./target/resources.ts";
import type { Tenants } from "./target/tenants.ts";

/** One fault acted out on a system under load. */
export interface Trial {
	readonly target: ChaosSystem;
	readonly tenants: Tenants;
	readonly load: Load;
	readonly seed: number;
	readonly random: Random;
	/** Begins the names and keys of this trial. */
	readonly run: string;
	/** The long form holds its faults as long as `5-proof` says. */
	readonly isLong: boolean;
	readonly baseline: Baseline;
	/** Routes that take messages. */
	readonly routes: number;
	/**
	 * Windows of submits that may have lost their responses: one of each route for each end of a process that delivers,
	 * one for each outage of an operator.
	 */
	lostWindows: number;
	/** True once a release without reports has worked, which tells of less. */
	hadOldRelease: boolean;
	/** A sentence for the table. */
	note: string;
}

export interface Fault {
	readonly number: number;
	readonly name: string;
	/** Only with a Kafka. */
	readonly needsKafka?: true;
	/** Only where the last release's commit is in the history. */
	readonly needsRelease?: true;
	/** Messages go over all routes of the target; otherwise over the first alone. */
	readonly overAllRoutes?: true;
	/** Runs after all others, while no other system is up: it compares times. */
	readonly isAlone?: true;
	/** Returns once the fault is over and everything runs again: what was not as promised meanwhile. */
	act(trial: Trial): Promise<string[] | undefined>;
}
