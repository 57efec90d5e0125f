import { spawn } from "node:child_process";

/** Ends another process when ours ends, however ours ends. */
export interface Lifeline {
	/** Lets go: the other process has ended, or may live on. */
	release(): void;
}

export interface LifelineOptions {
	readonly pid: number;
	/** Part of the process's command line: a stranger that was given the pid since is left alone. */
	readonly mark: string;
	readonly signal: "SIGINT" | "SIGKILL";
}

/** Not every image has ps, and not every system has /proc. */
const COMMAND_LINE = `{ tr '\\0' ' ' < "/proc/$1/cmdline" || ps -ww -o args= -p "$1"; }`;
const SCRIPT = `cat; ${COMMAND_LINE} | grep -qF -e "$2" && kill -s "$3" "$1"`;

/** A shell reads a pipe of ours, which closes with us; in a session of its own it survives what is sent to ours. */
export function holdLifeline({ pid, mark, signal }: LifelineOptions): Lifeline {
	const name = signal.slice("SIG".length);
	const shell = spawn("sh", ["-c", SCRIPT, "sh", String(pid), mark, name], {
		detached: true,
		stdio: ["pipe", "ignore", "ignore"],
	});
	shell.unref();
	return { release: () => shell.kill("SIGKILL") };
}
