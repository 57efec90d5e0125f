import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@airtower/platform/runtime/ports";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { machineEnv } from "@airtower/platform/testing/machine-env";
import { expect } from "vitest";
import { clientsOf } from "./clients.ts";
import { settingsFor } from "./settings.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface AccountsProcess extends ReturnType<typeof clientsOf> {
	/** Resolves with the signal that ended the process. */
	readonly ended: Promise<NodeJS.Signals | null>;
	/** SIGKILL; resolves when it is gone. */
	kill(): Promise<void>;
}

export interface ProcessOptions {
	readonly database: TestDatabase;
	readonly messagingUrl: string;
	/** The database of the event bus; the one that all tests share without it. */
	readonly busUrl?: string;
	/** Where it shall crash, for example "accounts.after_reserve_commit:3". */
	readonly faultPoints?: string;
	/** A process that dies at its start never gets ready. */
	readonly untilReady?: boolean;
}

/** The service as its own process, as in production. */
export async function startAccountsProcess(
	options: ProcessOptions,
): Promise<AccountsProcess> {
	const [rpcPort, opsPort] = [await freePort(), await freePort()];
	const child = spawn(process.execPath, [MAIN], {
		env: settingsFor(options.database, options.messagingUrl, {
			...machineEnv(),
			RPC_PORT: String(rpcPort),
			OPS_PORT: String(opsPort),
			FAULT_POINTS: options.faultPoints ?? "",
			...(options.busUrl && { BUS_DATABASE_URL: options.busUrl }),
			// The shortest that it takes.
			RECONCILE_AFTER_S: "25",
		}),
		stdio: ["ignore", "inherit", "inherit"],
	});
	const ended = once(child, "exit").then(([, signal]) => signal);
	if (options.untilReady !== false) await ready(opsPort);
	return {
		...clientsOf(rpcPort),
		ended,
		kill: async () => {
			child.kill("SIGKILL");
			await ended;
		},
	};
}

async function ready(opsPort: number): Promise<void> {
	await eventually(async () => {
		const response = await fetch(`http://127.0.0.1:${opsPort}/ready`);
		expect(response.status).toBe(200);
	});
}
