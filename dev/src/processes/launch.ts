import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { holdLifeline } from "./lifeline.ts";
import type { ProcessIdentity } from "./process-identity.ts";

export type ProcessEnv = Readonly<Record<string, string | undefined>>;

export interface Command {
	readonly program: string;
	readonly args: readonly string[];
	readonly env: ProcessEnv;
	readonly cwd?: string;
	readonly account?: { readonly uid?: number; readonly gid?: number };
	/** Part of the command line that no other program's has. */
	readonly mark: string;
	/** Asks it to stop; also sent when this process ends without having stopped it. */
	readonly stopSignal: NodeJS.Signals;
}

export interface Run extends ProcessIdentity {
	/** Resolves when the process has ended, with how: "exit code 1" or "SIGKILL". */
	readonly ended: Promise<string>;
	hasEnded(): boolean;
	signal(signal: NodeJS.Signals): void;
	lastWords(): string;
}

const KEPT_LINES = 30;
/** Longest wait for the last lines of a process that has ended, ms: a child of its own may keep its output open. */
const LAST_LINES_MS = 1_000;

/** In a process group of its own, which a Ctrl-C does not reach. @throws Error when the program cannot be run */
export async function launch(
	command: Command,
	onLine: (line: string) => void,
): Promise<Run> {
	const { program, args, env, cwd, account, mark, stopSignal } = command;
	const child = spawn(program, args, {
		...account,
		cwd,
		env,
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const errorLines: string[] = [];
	createInterface(child.stdout).on("line", onLine);
	createInterface(child.stderr).on("line", (line) => {
		errorLines.push(line);
		if (errorLines.length > KEPT_LINES) errorLines.shift();
		onLine(line);
	});
	const ended = endOf(child);
	await once(child, "spawn");
	const identity = { pid: child.pid ?? 0, mark };
	const lifeline = holdLifeline(identity, stopSignal);
	child.once("exit", lifeline.release);
	return {
		...identity,
		ended,
		hasEnded: () => child.exitCode !== null || child.signalCode !== null,
		signal: (signal) => child.kill(signal),
		lastWords: () => reasonIn(errorLines),
	};
}

function endOf(child: ChildProcess): Promise<string> {
	return new Promise((resolve) => {
		child.once("exit", (code, signal) => {
			const how = signal ?? `exit code ${code}`;
			child.once("close", () => resolve(how));
			setTimeout(resolve, LAST_LINES_MS, how).unref();
		});
	});
}

/** A sentence of ours stands alone on its line; an uncaught error is followed by its stack and fields. */
function reasonIn(lines: readonly string[]): string {
	const errors = lines.filter((line) =>
		/^\w*Error\b.*: |\b(FATAL|Exception): /.test(line),
	);
	const sentences = lines.filter((line) => /^[a-z]+: /.test(line));
	return errors.at(-1) ?? sentences.at(-1) ?? lines.at(-1)?.trim() ?? "";
}
