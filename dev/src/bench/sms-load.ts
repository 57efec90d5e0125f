import { Pool } from "undici";
import type { PublicApi } from "../demo/public-api.ts";

export interface OpenLoopOptions extends PublicApi {
	readonly ratePerSecond: number;
	readonly seconds: number;
	readonly connections: number;
	/** Begins each client reference: `<run>-<number>`. */
	readonly run: string;
}

const TICK_MS = 1;

/**
 * Sends at a steady rate, whether responses come or not: a slow server is not spared. Returns the latencies, ms, from
 * the moment each request was due: waiting for a free connection counts. Throws when a message is not accepted.
 */
export async function runOpenLoop(
	options: OpenLoopOptions,
): Promise<readonly number[]> {
	const { ratePerSecond, connections, run, seconds } = options;
	const client = createSmsClient(options, connections, run);
	const total = Math.round(ratePerSecond * seconds);
	const latencies: number[] = [];
	let refused = 0;
	let sent = 0;
	const startedAt = performance.now();
	const dueAt = (number: number) =>
		startedAt + (number / ratePerSecond) * 1_000;
	const send = (number: number) =>
		client.send(number, (isAccepted) => {
			latencies.push(performance.now() - dueAt(number));
			if (!isAccepted) refused++;
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

/** Sends messages that differ by their number, over connections with one request in flight each. */
export function createSmsClient(
	{ baseUrl, apiKey }: PublicApi,
	connections: number,
	run: string,
) {
	const { origin, pathname: path } = new URL(`${baseUrl}/sms/send`);
	const pool = new Pool(origin, { connections, pipelining: 1 });
	const headers = {
		authorization: `Bearer ${apiKey}`,
		"content-type": "application/json",
	};
	return {
		send(number: number, onEnd: (isAccepted: boolean) => void): void {
			let status = 0;
			const body = toBody(run, number);
			pool.dispatch({ path, method: "POST", headers, body } as const, {
				onRequestStart() {},
				onResponseStart(_controller, statusCode) {
					status = statusCode;
				},
				onResponseData() {},
				onResponseEnd: () => onEnd(status === 202),
				onResponseError: () => onEnd(false),
			});
		},
		close: () => pool.destroy(),
	};
}

/** Recipients end above the digits on which the SMSC simulator acts out trouble. */
function toBody(run: string, number: number): string {
	return JSON.stringify({
		to: `+3361${String(number % 1_000).padStart(3, "0")}${1_000 + (number % 9_000)}`,
		message: `Your code is ${number}`,
		clientReference: `${run}-${number}`,
	});
}
