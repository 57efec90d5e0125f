import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A process that can be recognised later: a pid alone may have passed to another program since. */
export interface ProcessIdentity {
	readonly pid: number;
	/** When the process began, in the system's own words. */
	readonly startedAt: string;
}

/** Identity of a running process; undefined when no process has this pid. */
export async function identify(
	pid: number,
): Promise<ProcessIdentity | undefined> {
	const startedAt =
		process.platform === "linux"
			? await startTicks(pid)
			: await startedAccordingToPs(pid);
	return startedAt === undefined ? undefined : { pid, startedAt };
}

/** True while exactly this process runs. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
	const now = await identify(identity.pid);
	return now?.startedAt === identity.startedAt;
}

/** Start time in ticks since boot (proc(5), stat field 22) with the boot's id: unique to one process. */
async function startTicks(pid: number): Promise<string | undefined> {
	try {
		const [stat, boot] = await Promise.all([
			readFile(`/proc/${pid}/stat`, "utf8"),
			readFile("/proc/sys/kernel/random/boot_id", "utf8"),
		]);
		// The name in parentheses may hold spaces: fields are counted after it. A zombie has ended.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return fields[0] === "Z" ? undefined : `${boot.trim()}:${fields[19]}`;
	} catch {
		return undefined;
	}
}

async function startedAccordingToPs(pid: number): Promise<string | undefined> {
	try {
		const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]);
		return stdout.trim() || undefined;
	} catch {
		return undefined;
	}
}
