import { readdir, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Weight of about a third beside a process that does not give way (sched(7): 1.25 per step). It gives
 * way to strangers too: with a tenth, nothing is delivered beside a compiler.
 */
const NICENESS = 5;
/** An ordinary user may set the niceness of a session so often, ms; others of ours may be quicker each time. */
const SESSION_EVERY_MS = 110;
const SESSION_TRIES = 20;

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
		for (const thread of await readdir(`/proc/${pid}/task`))
			setPriority(Number(thread), NICENESS);
		await letSessionGiveWay(pid);
	} catch {
		// It has ended already, or the machine has no such thing: all are equal then.
	}
}

async function letSessionGiveWay(pid: number): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			return await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
		} catch (error) {
			if (!isTooSoon(error) || tries === SESSION_TRIES) throw error;
			await delay(SESSION_EVERY_MS);
		}
	}
}

function isTooSoon(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
