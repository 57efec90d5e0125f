import { setTimeout as delay } from "node:timers/promises";
import { giveWay } from "../give-way.ts";
import { createBackOff } from "./back-off.ts";
import { launchProcess, type Run } from "./launch-process.ts";
import { openLogFile } from "./log-file.ts";
import { type ExtraEnv, StartError, type SystemEvent } from "./system.ts";

export interface ProcessSpec {
	readonly name: string;
	readonly main: URL;
	/** The whole environment, without the extra one of a trial. */
	readonly env: ExtraEnv;
	readonly extraEnv: ExtraEnv;
	/** True for work that no request waits for: once it is ready, others come first, see {@link giveWay}. */
	readonly givesWay: boolean;
	readonly logPath: string;
	readonly isReady: () => Promise<boolean>;
	readonly restartCrashed: boolean;
	readonly onEvent: (event: SystemEvent) => void;
	readonly onPid: (pid: number | undefined) => Promise<void>;
	/** Aborted when the start is called off. */
	readonly signal: AbortSignal;
}

/** A process that is kept running while it is wanted. */
export interface SupervisedProcess {
	readonly name: string;
	pid(): number | undefined;
	/** Resolves when the process is ready; throws a StartError when it ends or hangs before. */
	start(): Promise<void>;
	untilReady(timeoutMs: number): Promise<void>;
	/** A signal that ends the process is waited for, and the process stays down. */
	kill(signal: NodeJS.Signals): Promise<void>;
	/** SIGTERM, then SIGKILL after the grace. */
	stop(graceMs: number): Promise<void>;
	restart(extraEnv?: ExtraEnv): Promise<void>;
	/** The process is no longer wanted; whoever ends it does so by its pid. */
	giveUp(): void;
	closeLog(): Promise<void>;
}

/** Only one that hangs takes so long: one that fails ends. A machine may be busy with other things. */
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 25;
const RESTART_GRACE_MS = 10_000;
const PASSING_SIGNALS: readonly NodeJS.Signals[] = ["SIGSTOP", "SIGCONT"];

export function superviseProcess(spec: ProcessSpec): SupervisedProcess {
	const log = openLogFile(spec.logPath);
	const backOff = createBackOff();
	let extraEnv = spec.extraEnv;
	let run: Run | undefined;
	let wanted = false;
	let starts = 0;

	async function launch(): Promise<Run> {
		const launched = launchProcess({
			main: spec.main,
			env: { ...spec.env, ...extraEnv },
			onLine: (line) => {
				log.write(line);
				spec.onEvent({ kind: "log", process: spec.name, line });
			},
		});
		run = launched;
		await tell(launched.pid);
		void launched.ended.then(() => forget(launched));
		return launched;
	}

	/** A full disk, on which this cannot be written, must neither end the supervisor nor leave a process to itself. */
	async function tell(pid: number | undefined): Promise<void> {
		await spec.onPid(pid).catch(() => {});
	}

	async function forget(ended: Run): Promise<void> {
		if (run !== ended) return;
		run = undefined;
		await tell(undefined);
	}

	/** Launches and waits until it is ready; a process that fails is not left behind. */
	async function bringUp(): Promise<void> {
		const launched = await launch();
		try {
			await untilReady(READY_TIMEOUT_MS, launched);
			if (spec.givesWay) await giveWay(launched.pid);
		} catch (error) {
			launched.signal("SIGKILL");
			await launched.ended;
			throw error;
		}
		void keepUp(launched, Date.now());
	}

	async function untilReady(timeoutMs: number, launched?: Run): Promise<void> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			if (launched?.hasEnded() === true) throw endedEarly(launched);
			if (run !== undefined && (await spec.isReady())) return;
			spec.signal.throwIfAborted();
			if (Date.now() > deadline) throw notReady(timeoutMs);
			await delay(POLL_MS);
		}
	}

	function notReady(timeoutMs: number): StartError {
		return new StartError(
			`${spec.name} is not ready after ${timeoutMs / 1_000} s (log: ${spec.logPath}).`,
		);
	}

	function endedEarly(ended: Run): StartError {
		const words = ended.lastWords() || "it ended without a word.";
		const reason = words.replace(`${spec.name}: `, "");
		return new StartError(
			`${spec.name} did not start: ${reason} (log: ${spec.logPath})`,
		);
	}

	/** Lives as long as nobody else starts the process anew. */
	async function keepUp(watched: Run, since: number): Promise<void> {
		const mine = starts;
		let how = await watched.ended;
		backOff.lived(Date.now() - since);
		// A fault point that fired once has made its point.
		const { FAULT_POINTS: _, ...rest } = extraEnv;
		extraEnv = rest;
		while (wanted) {
			const restartInMs = spec.restartCrashed ? backOff.next() : undefined;
			spec.onEvent({ kind: "crashed", process: spec.name, how, restartInMs });
			if (restartInMs === undefined) return;
			await delay(restartInMs);
			if (!wanted || starts !== mine) return;
			try {
				await bringUp();
				spec.onEvent({ kind: "restarted", process: spec.name });
				return;
			} catch (error) {
				how = error instanceof Error ? error.message : String(error);
			}
		}
	}

	async function end(signal: NodeJS.Signals, graceMs?: number): Promise<void> {
		wanted = false;
		const current = run;
		if (current === undefined) return;
		current.signal(signal);
		if (graceMs !== undefined) {
			const timer = setTimeout(() => current.signal("SIGKILL"), graceMs);
			await current.ended.finally(() => clearTimeout(timer));
		}
		await current.ended;
		await forget(current);
	}

	async function start(): Promise<void> {
		wanted = true;
		starts++;
		try {
			await bringUp();
		} catch (error) {
			wanted = false;
			throw error;
		}
	}

	return {
		name: spec.name,
		pid: () => run?.pid,
		start,
		untilReady: (timeoutMs) => untilReady(timeoutMs),
		async kill(signal) {
			if (PASSING_SIGNALS.includes(signal)) run?.signal(signal);
			else await end(signal);
		},
		stop: (graceMs) => end("SIGTERM", graceMs),
		async restart(env) {
			await end("SIGTERM", RESTART_GRACE_MS);
			if (env !== undefined) extraEnv = env;
			await start();
		},
		giveUp: () => {
			wanted = false;
		},
		closeLog: () => log.close(),
	};
}
