import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { holdLifeline, type LifelineOptions } from "./lifeline.ts";

/** What the one who starts a server of others, PostgreSQL or Kafka, has a hand in. */
export interface ServerStart {
	/** Calls a start off, also one after a crash: what runs by then is ended. */
	readonly signal?: AbortSignal;
	/** Told of every process as soon as there is one: it may take long until it is ready. */
	readonly onPid?: (pid: number) => Promise<void>;
}

export interface ServerCommand {
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env?: NodeJS.ProcessEnv;
	readonly account?: { readonly uid?: number; readonly gid?: number };
	/** File that gets what the server says. */
	readonly logPath: string;
	/** Part of the server's command line that no other program's has. */
	readonly mark: string;
	/** Sent when this process ends without having stopped the server. */
	readonly lastSignal: LifelineOptions["signal"];
}

/** One life of a server. */
export interface ServerProcess {
	readonly pid: number;
	/** Resolves when it has ended, with how: "exit code 1" or "SIGKILL". */
	readonly ended: Promise<string>;
	hasEnded(): boolean;
}

/**
 * Starts a server in its own process group, so that a Ctrl-C in the terminal reaches only its supervisor.
 * It does not outlive this process: should we be killed, a lifeline process ends it.
 * @throws Error when the program cannot be run
 */
export async function launchServer(
	command: ServerCommand,
): Promise<ServerProcess> {
	const log = await open(command.logPath, "a", 0o600);
	const child = spawn(command.program, command.args, {
		...command.account,
		cwd: command.cwd,
		env: command.env,
		detached: true,
		stdio: ["ignore", log.fd, log.fd],
	});
	let running = true;
	const ended = new Promise<string>((resolve) => {
		child.once("exit", (code, signal) => {
			running = false;
			resolve(signal ?? `exit code ${code}`);
		});
	});
	await once(child, "spawn").finally(() => log.close());
	child.unref();
	const pid = child.pid ?? 0;
	const lifeline = holdLifeline({
		pid,
		mark: command.mark,
		signal: command.lastSignal,
	});
	void ended.then(() => lifeline.release());
	return { pid, ended, hasEnded: () => !running };
}
