import { type HttpConnection, openConnection } from "./http-connection.ts";

export interface OpenLoopOptions {
	readonly url: string;
	readonly apiKey: string;
	readonly ratePerSecond: number;
	readonly seconds: number;
	readonly connections: number;
	/** Begins each client reference: `<run>-<number>`. */
	readonly run: string;
}

export interface OpenLoopResult {
	readonly sent: number;
	/** From the first request to the last answer: longer than asked for when answers come too slowly. */
	readonly elapsedS: number;
	readonly accepted: number;
	/** Answers other than 202, and lost connections, by status (0 for lost). */
	readonly refused: Readonly<Record<string, number>>;
	/** From the moment each request was due to its answer, ms: waiting for a free connection counts. */
	readonly latenciesMs: readonly number[];
}

const TICK_MS = 1;
const DRAIN_TIMEOUT_MS = 15_000;
const ACCEPTED = 202;

/** Sends at a steady rate, whether answers come or not: a slow server is not spared. */
export function runOpenLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
	const url = new URL(options.url);
	const idle: HttpConnection[] = Array.from(
		{ length: options.connections },
		() => openConnection(url.hostname, Number(url.port)),
	);
	const all = [...idle];
	const waiting: number[] = [];
	const latenciesMs: number[] = [];
	const refused: Record<string, number> = {};
	const total = Math.round(options.ratePerSecond * options.seconds);
	const startedAt = performance.now();
	let due = 0;
	let answered = 0;
	let accepted = 0;

	function sendNext(connection: HttpConnection): void {
		const number = waiting.shift();
		if (number === undefined) {
			idle.push(connection);
			return;
		}
		connection.send(requestText(url, options, number), (status) => {
			answered++;
			const dueAt = startedAt + (number / options.ratePerSecond) * 1_000;
			latenciesMs.push(performance.now() - dueAt);
			if (status === ACCEPTED) accepted++;
			else refused[status] = (refused[status] ?? 0) + 1;
			sendNext(connection);
		});
	}

	function sendDue(): void {
		const elapsedS = (performance.now() - startedAt) / 1_000;
		const target = Math.min(
			total,
			Math.floor(elapsedS * options.ratePerSecond) + 1,
		);
		for (; due < target; due++) waiting.push(due);
		while (waiting.length > 0) {
			const connection = idle.pop();
			if (connection === undefined) return;
			sendNext(connection);
		}
	}

	return new Promise((resolve) => {
		const deadline = startedAt + options.seconds * 1_000 + DRAIN_TIMEOUT_MS;
		const timer = setInterval(() => {
			sendDue();
			if (answered < total && performance.now() < deadline) return;
			clearInterval(timer);
			for (const connection of all) connection.close();
			const elapsedS = (performance.now() - startedAt) / 1_000;
			resolve({ sent: due, elapsedS, accepted, refused, latenciesMs });
		}, TICK_MS);
	});
}

/** Recipients end above the digits on which the SMSC simulator acts out trouble. */
function requestText(
	url: URL,
	{ apiKey, run }: OpenLoopOptions,
	number: number,
): string {
	const to = `+3361${String(number % 1_000).padStart(3, "0")}${1_000 + (number % 9_000)}`;
	const body = `{"to":"${to}","message":"Your code is ${number}","clientReference":"${run}-${number}"}`;
	return (
		`POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${apiKey}\r\n` +
		`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
	);
}
