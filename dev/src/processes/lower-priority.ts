import { readdir, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Weight of about a third beside a process of ordinary priority (sched(7): 1.25 per step). */
const NICENESS = 5;
/** An ordinary user may set the niceness of a session so often, ms. */
const SESSION_EVERY_MS = 110;
const SESSION_TRIES = 20;

/** Linux has a niceness for each thread, and may weigh sessions before processes (sched(7), "autogroup"). */
export async function lowerPriority(pid: number): Promise<void> {
	try {
		setPriority(pid, NICENESS);
		for (const thread of await readdir(`/proc/${pid}/task`))
			setPriority(Number(thread), NICENESS);
	} catch {
		// It has ended already, or the system has no /proc.
	}
	for (let tries = 0; tries < SESSION_TRIES; tries++) {
		const written = writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
		const code = await written.catch((error) => error.code);
		if (code !== "EAGAIN") return;
		await delay(SESSION_EVERY_MS);
	}
}
