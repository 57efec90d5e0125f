import { fileURLToPath } from "node:url";
import type { TestDatabase } from "@airtower/platform/testing/database";
import {
	type ServiceProcess,
	startServiceProcess,
} from "@airtower/platform/testing/service-process";
import { type Clients, clientsOf } from "./clients.ts";
import { settingsFor } from "./service.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface MessagingProcess extends ServiceProcess, Clients {
	readonly rpcUrl: string;
}

/** The service as its own process, as in production. */
export async function startProcess(
	database: TestDatabase,
	env: Readonly<Record<string, string>>,
): Promise<MessagingProcess> {
	const settings = settingsFor(database, env);
	const started = await startServiceProcess({ main, env: settings });
	const { rpcPort } = started;
	const rpcUrl = `http://127.0.0.1:${rpcPort}`;
	return { ...started, ...clientsOf(rpcPort), rpcUrl };
}
