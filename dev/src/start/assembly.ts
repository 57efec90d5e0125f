import { join } from "node:path";
import type { PortPicker } from "../ports/port-picker.ts";
import type { SupervisedProcess } from "../processes/supervised-process.ts";
import type { Supervision } from "../processes/supervision.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { RunState } from "../storage/run-state.ts";
import type { AnyProcessName, SystemEvent, SystemOptions } from "./system.ts";

export interface Assembly {
	readonly dataDir: string;
	readonly options: SystemOptions;
	readonly secrets: Secrets;
	readonly keysDir: string;
	readonly state: RunState;
	readonly ports: PortPicker;
	readonly processes: Map<AnyProcessName, SupervisedProcess>;
	readonly startedAt: number;
	readonly onEvent: (event: SystemEvent) => void;
	/** Aborted when the start is called off: by the caller, or because a part of it failed. */
	readonly callOff: AbortController;
}

export function supervisionFor(
	{ dataDir, onEvent, state, callOff, options }: Assembly,
	name: AnyProcessName,
): Supervision {
	return {
		logPath: join(dataDir, "logs", `${name}.log`),
		logDays: options.logDays,
		restartCrashed: true,
		onEvent,
		onIdentity: (identity) => state.record(name, identity),
		signal: callOff.signal,
	};
}

export function reportReady(assembly: Assembly, part: string): void {
	const afterMs = Date.now() - assembly.startedAt;
	assembly.onEvent({ kind: "ready", part, afterMs });
}

/**
 * Waits for all before it throws, so that nothing starts behind the back of the one who cleans up; the first failure
 * calls the others off and is the one thrown.
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
