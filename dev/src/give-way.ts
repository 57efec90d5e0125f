import { readdir, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";

/**
 * Weight of about a third beside a process that does not give way (sched(7): 1.25 per step). It gives
 * way to strangers too: with a tenth, nothing is delivered beside a compiler.
 */
const NICENESS = 5;

/**
 * Makes a process that nobody waits for give way to those that answer requests; it uses all that they
 * leave. Call it once the process is ready: beside busy others its start would take minutes. Each of
 * its threads has a niceness of its own, taken over by the threads that it makes later.
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
