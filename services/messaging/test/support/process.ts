import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@airtower/platform/runtime/ports";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { machineEnv } from "@airtower/platform/testing/machine-env";
import { expect } from "vitest";
import { type Clients, clientsOf } from "./clients.ts";
import { settingsFor } from "./service.ts";

/** Two processes that begin together on a busy machine take more than a minute. */
const START = { timeoutMs: 180_000 } as const;
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The service as its own process, as in production. */
export interface MessagingProcess extends Clients {
	readonly rpcUrl: string;
	/** Resolves with the signal or the exit code that ended it. */
	readonly ended: Promise<NodeJS.Signals | number | null>;
	signal(signal: NodeJS.Signals): void;
}

export async function startProcess(
	database: TestDatabase,
	env: Readonly<Record<string, string>>,
): Promise<MessagingProcess> {
	const [rpcPort, opsPort] = [await freePort(), await freePort()];
	const child = spawn(process.execPath, [MAIN], {
		env: settingsFor(database, {
			...machineEnv(),
			...env,
			RPC_PORT: String(rpcPort),
			OPS_PORT: String(opsPort),
		}),
		stdio: ["ignore", "inherit", "inherit"],
	});
	const ended = once(child, "exit").then(([code, signal]) => signal ?? code);
	await Promise.race([ready(opsPort), ended.then(failStart)]);
	return {
		...clientsOf(rpcPort),
		rpcUrl: `http://127.0.0.1:${rpcPort}`,
		ended,
		signal: (signal) => child.kill(signal),
	};
}

async function ready(opsPort: number): Promise<void> {
	await eventually(async () => {
		const response = await fetch(`http://127.0.0.1:${opsPort}/ready`);
		expect(response.status).toBe(200);
	}, START);
}

function failStart(how: unknown): never {
	throw new Error(`The service ended at its start: ${String(how)}`);
}
