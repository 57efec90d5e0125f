import { fileURLToPath } from "node:url";
import type { TestDatabase } from "@airtower/platform/testing/database";
import {
	type ServiceProcess,
	startServiceProcess,
} from "@airtower/platform/testing/service-process";
import { clientsOf } from "./clients.ts";
import { settingsFor } from "./settings.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export type AccountsProcess = ServiceProcess & ReturnType<typeof clientsOf>;

interface ProcessOptions {
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
export async function startAccountsProcess({
	database,
	messagingUrl,
	busUrl,
	faultPoints = "",
	untilReady,
}: ProcessOptions): Promise<AccountsProcess> {
	const env = settingsFor(database, messagingUrl, {
		FAULT_POINTS: faultPoints,
		...(busUrl && { BUS_DATABASE_URL: busUrl }),
		// The shortest that it takes.
		RECONCILE_AFTER_S: "25",
	});
	const started = await startServiceProcess({ main, env, untilReady });
	return { ...started, ...clientsOf(started.rpcPort) };
}
