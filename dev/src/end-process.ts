import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** Sends the signal and waits for the end; after 20 s it is SIGKILL. */
export async function endProcess(
	pid: number,
	signal: "SIGTERM" | "SIGQUIT" | "SIGKILL",
): Promise<void> {
	const deadline = Date.now() + STOP_TIMEOUT_MS;
	sendSignal(pid, signal);
	while (isAlive(pid)) {
		if (Date.now() > deadline) sendSignal(pid, "SIGKILL");
		await delay(POLL_MS);
	}
}

/** A process that has ended in the meantime needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** The command line of a process, empty when there is none. Not every image has ps, and not every system has /proc. */
export async function commandLine(pid: number): Promise<string> {
	try {
		const text = await readFile(`/proc/${pid}/cmdline`, "utf8");
		return text.replaceAll("\0", " ");
	} catch {
		return commandLineByPs(pid);
	}
}

async function commandLineByPs(pid: number): Promise<string> {
	try {
		const { stdout } = await run("ps", [
			...["-ww", "-o", "args=", "-p", String(pid)],
		]);
		return stdout;
	} catch {
		return "";
	}
}
