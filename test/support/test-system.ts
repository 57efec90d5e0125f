import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System, SystemOptions } from "@airtower/dev/start/system";

/** Time to bring a system up or down, ms: for the hooks that do. */
export const SYSTEM_HOOK_MS = 120_000;

export interface TestSystem {
	readonly system: System;
	/** Stops every process and removes the folder. */
	dispose(): Promise<void>;
}

/** A whole system of real processes in a temporary folder, on free ports. */
export async function startTestSystem(
	options: Omit<SystemOptions, "dataDir"> = {},
): Promise<TestSystem> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-system-"));
	await chmod(dataDir, 0o755);
	const system = await startSystem({ dataDir, ...options });
	return {
		system,
		dispose: async () => {
			await system.stop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}
