import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
	type OpenLoopOptions,
	type OpenLoopResult,
	runOpenLoop,
} from "./open-loop.ts";

const THIS_FILE = fileURLToPath(import.meta.url);

if (process.argv[1] === THIS_FILE) {
	process.once("disconnect", () => process.exit(1));
	process.once("message", async (options) => {
		process.send?.(await runOpenLoop(options as OpenLoopOptions));
	});
}

/**
 * Runs the generator in a process and session of its own: whoever receives the callbacks takes no time
 * of the machine away from it, and its answers are timed when they come.
 */
export async function generateLoad(
	options: OpenLoopOptions,
): Promise<OpenLoopResult> {
	const child = fork(THIS_FILE, { detached: true, execArgv: [] });
	const ended = once(child, "exit").then(([code]) => {
		throw new Error(`The load generator ended with exit code ${code}.`);
	});
	child.send(options);
	try {
		const [result] = await Promise.race([once(child, "message"), ended]);
		return result as OpenLoopResult;
	} finally {
		ended.catch(() => {});
		child.kill("SIGKILL");
	}
}
