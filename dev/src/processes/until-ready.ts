import { setTimeout as delay } from "node:timers/promises";
import type { Run } from "./launch.ts";
import { StartError } from "./start-error.ts";
import type { ProcessSpec } from "./supervision.ts";

/** Only one that hangs takes so long: one that fails ends. */
const READY_TIMEOUT_MS = 120_000;
const SLOW_START_MS = 3_000;
const POLL_MS = 25;

/** Resolves once a process is ready. @throws StartError when it ends or hangs before */
export async function untilReady(
	spec: ProcessSpec,
	run: Run,
	wanted: AbortSignal,
): Promise<void> {
	const { isReady, onEvent, readyTimeoutMs = READY_TIMEOUT_MS } = spec;
	const since = Date.now();
	let slowStart = spec.slowStart;
	while (!(await isReady(run.pid))) {
		if (run.hasEnded()) throw await endedEarly(spec, run);
		wanted.throwIfAborted();
		const tookMs = Date.now() - since;
		if (tookMs > readyTimeoutMs)
			throw new StartError(
				`${titleOf(spec)} is not ready after ${readyTimeoutMs / 1_000} s (log: ${spec.logPath}).`,
			);
		if (slowStart !== undefined && tookMs > SLOW_START_MS) {
			const why = await slowStart();
			onEvent({ kind: "waiting", part: titleOf(spec), why });
			slowStart = undefined;
		}
		await delay(POLL_MS);
	}
}

async function endedEarly(spec: ProcessSpec, run: Run): Promise<StartError> {
	const how = await run.ended;
	const words = run.lastWords().replace(`${spec.name}: `, "");
	const reason = how.startsWith("SIG")
		? `it was ended by ${how}.`
		: words || `it ended with ${how} and said nothing.`;
	return new StartError(
		`${titleOf(spec)} did not start: ${reason} (log: ${spec.logPath})`,
	);
}

function titleOf({ title, name }: ProcessSpec): string {
	return title ?? name;
}
