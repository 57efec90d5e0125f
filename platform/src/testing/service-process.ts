import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../runtime/ports.ts";
import { eventually } from "./eventually.ts";
import { machineEnv } from "./machine-env.ts";

/** Two processes that begin together on a busy machine take more than a minute. */
const START = { timeoutMs: 180_000 } as const;
/** A shell reads a pipe of ours, which closes when this process ends, however that does. */
const KILL_WHEN_CLOSED = 'read -r _; kill -s KILL "$1"';

/** A service as its own process, as in production. It does not outlive this one. */
export interface ServiceProcess {
	readonly rpcPort: number;
	/** Resolves with the signal or the exit code that ended it. */
	readonly ended: Promise<NodeJS.Signals | number>;
	signal(signal: NodeJS.Signals): void;
	/** Sends the signal and waits until it has ended. */
	stop(signal: NodeJS.Signals): ServiceProcess["ended"];
}

interface ServiceProcessOptions {
	/** The program's file. */
	readonly main: string;
	readonly env: Readonly<Record<string, string>>;
	/** False for one that dies at its start: it is never ready. */
	readonly untilReady?: boolean | undefined;
}

/** Starts a service on ports of its own. @throws Error when it ends before it is ready */
export async function startServiceProcess({
	main,
	env,
	untilReady = true,
}: ServiceProcessOptions): Promise<ServiceProcess> {
	const [rpcPort, opsPort] = [await freePort(), await freePort()];
	const child = spawn(process.execPath, [main], {
		env: {
			...machineEnv(),
			...env,
			RPC_PORT: String(rpcPort),
			OPS_PORT: String(opsPort),
		},
		stdio: ["ignore", "inherit", "inherit"],
	});
	holdLifeline(child);
	const ended = once(child, "exit").then(([code, signal]) => signal ?? code);
	if (untilReady) await Promise.race([isReady(opsPort), ended.then(failStart)]);
	return {
		rpcPort,
		ended,
		signal: (signal) => void child.kill(signal),
		stop: (signal) => {
			child.kill(signal);
			return ended;
		},
	};
}

function holdLifeline(child: ChildProcess): void {
	const args = ["-c", KILL_WHEN_CLOSED, "sh", String(child.pid)];
	const shell = spawn("sh", args, {
		detached: true,
		stdio: ["pipe", "ignore", "ignore"],
	});
	shell.unref();
	child.once("exit", () => shell.kill("SIGKILL"));
}

async function isReady(opsPort: number): Promise<void> {
	await eventually(async () => {
		const { status } = await fetch(`http://127.0.0.1:${opsPort}/ready`);
		if (status !== 200) throw new Error(`/ready says ${status}.`);
	}, START);
}

function failStart(how: unknown): never {
	throw new Error(`The service ended at its start: ${String(how)}`);
}
