import type { KeptServer } from "./kept-server.ts";
import type { PortPicker } from "./ports.ts";
import type { RunState } from "./run-state.ts";
import type { Secrets } from "./secrets.ts";
import type { SystemPlan } from "./service-env.ts";
import type { SupervisedProcess } from "./supervised-process.ts";
import {
	type ProcessName,
	StartError,
	type SystemEvent,
	type SystemOptions,
} from "./system.ts";
import { type Stoppable, stopInStages } from "./teardown.ts";

/** A system while it comes up and while it runs: what is there, and how it is stopped. */
export interface Assembly {
	readonly dataDir: string;
	readonly options: SystemOptions;
	readonly secrets: Secrets;
	readonly state: RunState;
	/** Where the processes' ports come from; held while the system lives. */
	readonly ports: PortPicker;
	readonly processes: Map<ProcessName, SupervisedProcess>;
	/** Processes of others: PostgreSQL and Kafka, once they are ready. */
	readonly servers: Map<string, KeptServer>;
	readonly stoppables: Stoppable[];
	readonly startedAt: number;
	readonly onEvent: (event: SystemEvent) => void;
	/** Aborted when the start is called off: by the caller, or because a part of it failed. */
	readonly callOff: AbortController;
}

/** A planned system: everything that the processes must know of each other. */
export interface PlannedAssembly extends Assembly {
	readonly plan: SystemPlan;
}

/** Stops everything that runs, the edge first and the storage last, and gives the folder free. */
export async function stopAssembly(assembly: Assembly): Promise<void> {
	const closeLogs = () =>
		[...assembly.processes.values()].map((each) => each.closeLog());
	try {
		await stopInStages(assembly.stoppables);
	} finally {
		await Promise.all(closeLogs());
		assembly.ports.release();
		await assembly.state.release();
	}
}

/**
 * Kills everything at once; the next start recovers from it. The folder is given free once nothing starts any more:
 * what was about to when the others were killed is ended by the one who starts it.
 */
export async function killAssembly(
	assembly: Assembly,
	starting: Promise<unknown>,
): Promise<void> {
	callOff(assembly);
	for (const each of assembly.processes.values()) each.giveUp();
	const restarts = [...assembly.servers.values()].map((each) => each.giveUp());
	await assembly.state.killAll();
	await Promise.allSettled([starting, ...restarts]);
	await assembly.state.killAll();
	assembly.ports.release();
	await assembly.state.release();
}

/** Ends a start that nobody wants any more. */
export function callOff(assembly: Assembly): void {
	assembly.callOff.abort(new StartError("The start was called off."));
}

/** Tells that a part is ready, with the time since the start. */
export function reportReady(assembly: Assembly, part: string): void {
	const afterMs = Date.now() - assembly.startedAt;
	assembly.onEvent({ kind: "ready", part, afterMs });
}
