import { join } from "node:path";
import { StartError } from "../processes/start-error.ts";
import type { SupervisedProcess } from "../processes/supervised-process.ts";
import type { Supervision } from "../processes/supervision.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { RunState } from "../storage/run-state.ts";
import type { PortPicker } from "./ports.ts";
import type { ProcessName, SystemEvent, SystemOptions } from "./system.ts";

/** Every process of a system, the servers of others too. */
export type AnyProcessName = ProcessName | "postgres" | "kafka";

/** A system while it comes up and while it runs: what is there, and how it is stopped. */
export interface Assembly {
	readonly dataDir: string;
	readonly options: SystemOptions;
	readonly secrets: Secrets;
	readonly state: RunState;
	/** Where the processes' ports come from; held while the system lives. */
	readonly ports: PortPicker;
	readonly processes: Map<AnyProcessName, SupervisedProcess>;
	readonly startedAt: number;
	readonly onEvent: (event: SystemEvent) => void;
	/** Aborted when the start is called off: by the caller, or because a part of it failed. */
	readonly callOff: AbortController;
}

/** The order of stopping, callers before those they call, and the longest wait, ms; together below the 10 s of a Ctrl-C. */
const STAGES: readonly { names: AnyProcessName[]; graceMs: number }[] = [
	{ names: ["gateway"], graceMs: 1_500 },
	{
		names: [
			...(["campaigns", "messaging", "messaging-delivery"] as const),
			...(["whatsapp", "webhooks"] as const),
		],
		graceMs: 3_000,
	},
	{ names: ["accounts"], graceMs: 1_000 },
	{ names: ["smsc", "cloud-api"], graceMs: 500 },
	{ names: ["postgres", "kafka"], graceMs: 2_500 },
];

/** How one process of the system is supervised. */
export function supervisionFor(
	{ dataDir, options, onEvent, state, callOff }: Assembly,
	name: AnyProcessName,
): Supervision {
	return {
		logPath: join(dataDir, "logs", `${name}.log`),
		restartCrashed: options.restartCrashed ?? true,
		onEvent,
		onIdentity: (identity) => state.record(name, identity),
		signal: callOff.signal,
	};
}

/** Stops everything that runs, the edge first and the storage last, and gives the folder free. */
export async function stopAssembly(assembly: Assembly): Promise<void> {
	for (const { names, graceMs } of STAGES)
		await Promise.all(
			names.map((name) => assembly.processes.get(name)?.stop(graceMs)),
		);
	await release(assembly);
}

/** Kills everything at once, and what is being started too; the next start recovers from it. */
export async function killAssembly(assembly: Assembly): Promise<void> {
	callOff(assembly);
	const processes = [...assembly.processes.values()];
	await Promise.all(processes.map((each) => each.kill()));
}

/** Ends a start that nobody wants any more. */
export function callOff({ callOff }: Assembly): void {
	callOff.abort(new StartError("The start was called off."));
}

async function release(assembly: Assembly): Promise<void> {
	const processes = [...assembly.processes.values()];
	await Promise.all(processes.map((each) => each.closeLog()));
	assembly.ports.release();
	await assembly.state.release();
}

/** Tells that a part is ready, with the time since the start. */
export function reportReady(assembly: Assembly, part: string): void {
	const afterMs = Date.now() - assembly.startedAt;
	assembly.onEvent({ kind: "ready", part, afterMs });
}

/**
 * Waits for all before it throws, so that nothing starts behind the back of the one who cleans up;
 * the first failure calls the others off and is the one thrown.
 */
export async function allOrFirstError<T extends readonly Promise<unknown>[]>(
	callOff: AbortController,
	works: T,
) {
	for (const work of works) work.catch((error) => callOff.abort(error));
	await Promise.allSettled(works);
	callOff.signal.throwIfAborted();
	return Promise.all(works);
}
