import { once } from "node:events";
import {
	isMainThread,
	parentPort,
	Worker,
	workerData,
} from "node:worker_threads";
import type { PublicApi } from "../demo/public-api.ts";
import { createSmsClient } from "./sms-client.ts";

export interface OpenLoopOptions extends PublicApi {
	readonly ratePerSecond: number;
	readonly seconds: number;
	readonly connections: number;
	/** Begins each client reference: `<run>-<number>`. */
	readonly run: string;
}

/** From the moment each request was due to its response, ms: waiting for a free connection counts. */
export type Latencies = readonly number[];

const TICK_MS = 1;
const ACCEPTED = 202;

if (!isMainThread && workerData?.isOpenLoop)
	parentPort?.postMessage(await sendAll(workerData as OpenLoopOptions));

/**
 * Sends at a steady rate, whether responses come or not: a slow server is not spared. In a thread of its own:
 * responses are timed when they come, whatever else this process does. Throws when a message is not accepted.
 */
export async function runOpenLoop(
	options: OpenLoopOptions,
): Promise<Latencies> {
	const worker = new Worker(new URL(import.meta.url), {
		workerData: { ...options, isOpenLoop: true },
	});
	const [latencies] = await once(worker, "message");
	return latencies as Latencies;
}

async function sendAll(options: OpenLoopOptions): Promise<Latencies> {
	const { ratePerSecond, connections, run } = options;
	const client = createSmsClient(options, connections, run);
	const total = Math.round(ratePerSecond * options.seconds);
	const latencies: number[] = [];
	let refused = 0;
	let sent = 0;
	const startedAt = performance.now();
	const dueAt = (number: number) =>
		startedAt + (number / ratePerSecond) * 1_000;
	const send = (number: number) =>
		client.send(number, (status) => {
			latencies.push(performance.now() - dueAt(number));
			if (status !== ACCEPTED) refused++;
		});
	await new Promise<void>((resolve) => {
		const timer = setInterval(() => {
			while (sent < total && dueAt(sent) <= performance.now()) send(sent++);
			if (latencies.length < total) return;
			clearInterval(timer);
			resolve();
		}, TICK_MS);
	});
	await client.close();
	if (refused > 0)
		throw new Error(`of ${total} messages ${refused} were not accepted.`);
	return latencies;
}
