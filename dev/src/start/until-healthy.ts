import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../processes/start-error.ts";

const MAX_WAIT_MS = 30_000;
const PAUSE_MS = 100;
const REQUEST_TIMEOUT_MS = 2_000;

/**
 * Resolves when every service is ok, however much waits to be delivered, or the signal ends the wait. Throws
 * StartError that says what is not ok.
 */
export async function untilHealthy(
	baseUrl: string,
	signal: AbortSignal,
	maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
	const deadline = performance.now() + maxWaitMs;
	for (;;) {
		const problem = await readProblem(baseUrl);
		if (problem === undefined || signal.aborted) return;
		if (performance.now() >= deadline)
			throw new StartError(`Airtower accepts no messages: ${problem}.`);
		await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
	}
}

interface Health {
	readonly status?: string;
	readonly accepting?: boolean;
	readonly services?: Readonly<Record<string, string>>;
}

async function readProblem(baseUrl: string): Promise<string | undefined> {
	try {
		const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
		const response = await fetch(`${baseUrl}/health`, { signal });
		const health: Health = Object(await response.json());
		const { status, accepting, services = {} } = health;
		const bad = Object.entries(services).filter(
			([, status]) => status !== "ok",
		);
		if (accepting === true && bad.length === 0) return undefined;
		return bad.map((pair) => pair.join(" is ")).join(", ") || `it is ${status}`;
	} catch {
		return "the gateway does not respond";
	}
}
