import { setTimeout as delay } from "node:timers/promises";
import { retryDelay } from "@airtower/platform/runtime/retry-delay";
import { launch, type ProcessEnv, type Run } from "./launch.ts";
import { openProcessLog } from "./log-file.ts";
import type { ProcessSpec } from "./supervision.ts";
import { untilReady } from "./until-ready.ts";

const RESTART_GRACE_MS = 15_000;
/** Longest until a process has ended that was told to end at once, ms. */
const KILL_GRACE_MS = 700;
const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;
/** What lived this long has earned a quick restart again, ms. */
const STEADY_MS = 60_000;

export class SupervisedProcess {
	readonly #spec: ProcessSpec;
	readonly #log;
	readonly #killSignal: NodeJS.Signals;
	#extraEnv: ProcessEnv;
	#run: Run | undefined;
	#wanted = new AbortController();
	#rising: Promise<void> = Promise.resolve();
	#failures = 0;

	constructor(spec: ProcessSpec) {
		this.#spec = spec;
		this.#extraEnv = spec.extraEnv ?? {};
		this.#killSignal = spec.killSignal ?? "SIGKILL";
		this.#log = openProcessLog(spec.logPath, spec.logDays);
	}

	get pid(): number | undefined {
		return this.#run?.pid;
	}

	async start(): Promise<void> {
		this.#wanted = new AbortController();
		const { signal } = this.#wanted;
		try {
			await this.#rise(AbortSignal.any([signal, this.#spec.signal]));
		} catch (error) {
			this.#wanted.abort();
			throw error;
		}
	}

	/** The request to stop; what does not end within the grace is killed. */
	async stop(graceMs: number): Promise<void> {
		await this.#end(this.#spec.command.stopSignal, graceMs);
	}

	/** A signal that ends the process is waited for, and the process stays down; at once when none is named. */
	async kill(signal = this.#killSignal): Promise<void> {
		if (signal === "SIGSTOP" || signal === "SIGCONT") this.#run?.signal(signal);
		else await this.#end(signal, RESTART_GRACE_MS);
	}

	async restart(extraEnv?: ProcessEnv): Promise<void> {
		await this.stop(RESTART_GRACE_MS);
		this.#extraEnv = extraEnv ?? this.#extraEnv;
		await this.start();
	}

	closeLog(): Promise<void> {
		return this.#log.close();
	}

	#rise(wanted: AbortSignal): Promise<void> {
		this.#rising = this.#bringUp(wanted);
		return this.#rising;
	}

	async #bringUp(wanted: AbortSignal): Promise<void> {
		await this.#spec.prepare?.();
		wanted.throwIfAborted();
		const run = await this.#launch();
		try {
			await untilReady(this.#spec, run, wanted);
		} catch (error) {
			await this.#endRun(run, this.#killSignal, 0);
			throw error;
		}
		void this.#keepUp(run, wanted);
	}

	async #launch(): Promise<Run> {
		const { name, command, isQuiet, onEvent } = this.#spec;
		const env = { ...command.env, ...this.#extraEnv };
		const run = await launch({ ...command, env }, (line) => {
			this.#log.write(line);
			if (!isQuiet) onEvent({ kind: "log", process: name, line });
		});
		this.#run = run;
		await this.#tell(run);
		void run.ended.then(() => this.#forget(run));
		return run;
	}

	/** A full disk, on which this cannot be written, must neither end the supervisor nor leave a process to itself. */
	async #tell(run?: Run): Promise<void> {
		const identity = run && { pid: run.pid, mark: run.mark };
		await this.#spec.onIdentity(identity).catch(() => {});
	}

	async #forget(ended: Run): Promise<void> {
		if (this.#run !== ended) return;
		this.#run = undefined;
		await this.#tell();
	}

	async #keepUp(run: Run, wanted: AbortSignal): Promise<void> {
		const { name, restartCrashed, onEvent } = this.#spec;
		const since = Date.now();
		let how = await run.ended;
		if (Date.now() - since > STEADY_MS) this.#failures = 0;
		// A fault point that fired once has made its point.
		const { FAULT_POINTS: _, ...rest } = this.#extraEnv;
		this.#extraEnv = rest;
		while (!wanted.aborted) {
			const restartInMs = restartCrashed ? this.#nextWait(how) : undefined;
			onEvent({ kind: "crashed", process: name, how, restartInMs });
			if (restartInMs === undefined) return;
			await delay(restartInMs, undefined, { signal: wanted }).catch(() => {});
			if (wanted.aborted) return;
			try {
				await this.#rise(wanted);
				return onEvent({ kind: "restarted", process: name });
			} catch (error) {
				how = error instanceof Error ? error.message : String(error);
			}
		}
	}

	/** Somebody asked one to stop that ended well: that is no failure. */
	#nextWait(how: string): number {
		if (how === "exit code 0") return FIRST_RESTART_MS;
		const limits = { firstMs: FIRST_RESTART_MS, longestMs: LONGEST_RESTART_MS };
		return retryDelay(++this.#failures, limits);
	}

	async #end(signal: NodeJS.Signals, graceMs: number): Promise<void> {
		this.#wanted.abort();
		// Before and after: one that is still starting must not wait for its own readiness check.
		if (this.#run !== undefined) await this.#endRun(this.#run, signal, graceMs);
		await this.#rising.catch(() => {});
		if (this.#run !== undefined) await this.#endRun(this.#run, signal, graceMs);
	}

	async #endRun(run: Run, signal: NodeJS.Signals, graceMs: number) {
		const ended = run.ended.then(() => true);
		for (const [next, waitMs] of [
			[signal, graceMs],
			[this.#killSignal, KILL_GRACE_MS],
			["SIGKILL", 0],
		] as const) {
			run.signal(next);
			if (await Promise.race([ended, delay(waitMs, false, { ref: false })]))
				break;
		}
		await ended;
		await this.#forget(run);
	}
}
