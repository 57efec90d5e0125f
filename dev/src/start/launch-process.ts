import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ExtraEnv } from "./system.ts";

export interface LaunchOptions {
	/** Module to run. */
	readonly main: URL;
	/** The whole environment of the process. */
	readonly env: ExtraEnv;
	readonly onLine: (line: string) => void;
}

/** One life of one process. */
export interface Run {
	readonly pid: number;
	/** Resolves when the process has ended, with how: "exit code 1" or "SIGKILL". */
	readonly ended: Promise<string>;
	hasEnded(): boolean;
	signal(signal: NodeJS.Signals): void;
	/** The last thing it said that looks like a reason; empty when it said nothing. */
	lastWords(): string;
}

const KEPT_LINES = 30;
const END_WITH_PARENT = new URL("./end-with-parent.ts", import.meta.url).href;

/** Starts a module in its own process group: a Ctrl-C in the terminal reaches only the supervisor. */
export function launchProcess(options: LaunchOptions): Run {
	const child = spawn(process.execPath, nodeArguments(options.main), {
		env: { ...options.env },
		detached: true,
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const errorLines: string[] = [];
	let ended = false;
	readLines(child.stdout, options.onLine);
	readLines(child.stderr, (line) => {
		errorLines.push(line);
		if (errorLines.length > KEPT_LINES) errorLines.shift();
		options.onLine(line);
	});
	return {
		pid: child.pid ?? 0,
		ended: endOf(child).finally(() => {
			ended = true;
		}),
		hasEnded: () => ended,
		signal: (signal) => child.kill(signal),
		lastWords: () => reasonIn(errorLines),
	};
}

function nodeArguments(main: URL): string[] {
	return [`--import=${END_WITH_PARENT}`, fileURLToPath(main)];
}

/** "close" comes after the last line of output was read, "exit" may come before. */
function endOf(child: ChildProcess): Promise<string> {
	return new Promise((resolve) => {
		child.once("error", (error) => resolve(error.message));
		child.once("close", (code, signal) =>
			resolve(signal ?? `exit code ${code}`),
		);
	});
}

function readLines(stream: Readable | null, onLine: (line: string) => void) {
	if (stream !== null)
		createInterface({ input: stream }).on("line", (line) => onLine(line));
}

/** A sentence of ours stands alone on its line; an uncaught error is followed by its stack and fields. */
function reasonIn(lines: readonly string[]): string {
	const errors = lines.filter((line) => /^\w*Error\b.*: /.test(line));
	const sentences = lines.filter((line) => /^[a-z]+: /.test(line));
	return errors.at(-1) ?? sentences.at(-1) ?? lines.at(-1)?.trim() ?? "";
}
