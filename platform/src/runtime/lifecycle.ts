import { setTimeout as delay } from "node:timers/promises";
import { ConfigError, type Env } from "./config.ts";
import { checkFaultPoints } from "./fault.ts";

interface Running {
	close(): Promise<void>;
}

/** Longest graceful stop, ms; what it waits for is bounded by less. */
export const STOP_TIMEOUT_MS = 30_000;
/** Longest wait of a stop for a start that is under way, ms. */
const START_WAIT_MS = 2_000;

/** Until SIGTERM or SIGINT; a second signal ends it at once. A bad setting or a busy port is one sentence on stderr. */
export async function runMain(
	service: string,
	start: (env: Env) => Promise<Running>,
): Promise<void> {
	const stopped = nextSignal().then(limitStop);
	const running = await startUnless(stopped, service, start);
	await stopped;
	try {
		await running?.close();
		process.exit(0);
	} catch (error) {
		process.stderr.write(
			`${service}: stopped with an error: ${String(error)}\n`,
		);
		process.exit(1);
	}
}

function limitStop(): void {
	void nextSignal().then(() => process.exit(130));
	setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
}

async function startUnless(
	stopped: Promise<void>,
	service: string,
	start: (env: Env) => Promise<Running>,
): Promise<Running | undefined> {
	try {
		checkFaultPoints(process.env.FAULT_POINTS);
		return await Promise.race([
			start(process.env),
			stopped.then(() => delay(START_WAIT_MS, undefined)),
		]);
	} catch (error) {
		process.stderr.write(`${service}: ${startupSentence(error)}\n`);
		process.exit(1);
	}
}

function nextSignal(): Promise<void> {
	return new Promise((resolve) => {
		process.once("SIGTERM", resolve);
		process.once("SIGINT", resolve);
	});
}

/** What a person reads who starts a process that cannot start. */
export function startupSentence(error: unknown): string {
	if (error instanceof ConfigError) return error.message;
	const refusal = describeAddress(Object(error));
	if (refusal !== undefined) return refusal;
	return error instanceof Error
		? (error.stack ?? error.message)
		: String(error);
}

interface AddressError {
	readonly code?: string;
	readonly syscall?: string;
	readonly address?: string;
	readonly port?: number;
	readonly hostname?: string;
}

/** What is wrong with an address that a setting gives, where the system says so. */
function describeAddress(error: AddressError): string | undefined {
	const { code, syscall, address, port, hostname } = error;
	if (code === "EADDRINUSE")
		return `Port ${port} is taken by another process; choose another in the settings.`;
	if (code === "EACCES" && syscall === "listen")
		return `Port ${port} may not be used by this user; choose one above 1023 in the settings.`;
	if (code === "EADDRNOTAVAIL")
		return `This machine has no address ${address}; correct the setting that names it (RPC_HOST, OPS_HOST or HTTP_HOST).`;
	if (syscall === "getaddrinfo")
		return `No address is known for the host ${hostname}; correct the setting that names it.`;
	return undefined;
}

export async function closeAll(
	steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
	const errors: unknown[] = [];
	for (const step of steps) {
		try {
			await step();
		} catch (error) {
			errors.push(error);
		}
	}
	if (errors.length > 0) throw errors[0];
}

/** All at once; throws the first error when all of them are over. */
export async function closeTogether(
	steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
	const ends = await Promise.allSettled(steps.map((step) => step()));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
}
