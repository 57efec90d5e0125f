import type { System } from "@airtower/dev/start/system";
import { askForSharedServer } from "@airtower/dev/testing/ask-shared-server";
import type { SharedSystemFacts } from "./test-system.ts";

/** A running system that other test files use too: nobody kills or stops a part of it. */
export type SharedSystem = Omit<System, "kill" | "restart" | "stop" | "pids">;

/** The whole system of this test run. */
export async function sharedSystem(): Promise<SharedSystem> {
	const facts = await askForSharedServer<SharedSystemFacts>("system");
	return {
		...facts,
		databaseUrl: (owner) => facts.databaseUrls[owner],
	};
}
