import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** A process that can be recognised later: a pid alone may have passed to another program since. */
export interface ProcessIdentity {
	readonly pid: number;
	readonly mark: string;
}

const POLL_MS = 20;

const run = promisify(execFile);

/** True while exactly this process runs. One that ended and was not waited for has no command line. */
export async function isRunning({
	pid,
	mark,
}: ProcessIdentity): Promise<boolean> {
	return (await commandLine(pid)).includes(mark);
}

export async function endProcess(
	identity: ProcessIdentity,
	signal: NodeJS.Signals,
	graceMs: number,
): Promise<void> {
	if (!(await isRunning(identity))) return;
	sendSignal(identity.pid, signal);
	const deadline = Date.now() + graceMs;
	while (await isRunning(identity)) {
		if (Date.now() > deadline) sendSignal(identity.pid, "SIGKILL");
		await delay(POLL_MS);
	}
}

/** The command line of a process; empty when there is none. Not every image has ps, and not every system has /proc. */
export async function commandLine(pid: number): Promise<string> {
	try {
		const text = await readFile(`/proc/${pid}/cmdline`, "utf8");
		return text.replaceAll("\0", " ");
	} catch {
		const args = ["-ww", "-o", "args=", "-p", String(pid)];
		return run("ps", args).then(
			({ stdout }) => stdout,
			() => "",
		);
	}
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}
