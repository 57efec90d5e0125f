import { parentPort, Worker, workerData } from "node:worker_threads";
import {
	type OpenLoopOptions,
	type OpenLoopResult,
	runOpenLoop,
} from "./open-loop.ts";

if (parentPort !== null)
	parentPort.postMessage(await runOpenLoop(workerData as OpenLoopOptions));

/** Runs the generator in a thread of its own, so that whoever measures does not delay it. */
export function generateLoad(
	options: OpenLoopOptions,
): Promise<OpenLoopResult> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL(import.meta.url), {
			workerData: options,
		});
		worker.once("message", resolve);
		worker.once("error", reject);
	});
}
