import { readdir, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";

/** Weight of about a tenth beside a process that does not give way (sched(7): 1.25 per step). */
const NICENESS = 10;

/**
 * Makes a process that nobody waits for give way to those that answer requests; it uses all that they
 * leave. Threads take over the niceness of the one that makes them, so those there are get it as well.
 * Where Linux weighs whole sessions, niceness counts only within one, so the session is told too
 * (sched(7), "The autogroup feature").
 */
export async function giveWay(pid: number): Promise<void> {
	try {
		setPriority(pid, NICENESS);
		await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
		for (const thread of await readdir(`/proc/${pid}/task`))
			setPriority(Number(thread), NICENESS);
	} catch {
		// It has ended already, or the machine has no such thing: all are equal then.
	}
}
