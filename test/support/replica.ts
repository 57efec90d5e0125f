import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readProcess } from "@airtower/dev/processes/read-process";
import type { ServiceName, System } from "@airtower/dev/start/system";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished } from "vitest";

interface Replica {
	readonly opsUrl: string;
	/** Sends SIGTERM; resolves with the exit code and how long it took, ms. */
	terminate(): Promise<{ code: number | null; tookMs: number }>;
}

/** One more process of a service, with the settings of the one that the system runs and some of its own. */
export async function startReplica(
	system: System,
	name: ServiceName,
	own: Readonly<Record<string, string>>,
): Promise<Replica> {
	const opsPort = String(await freePort());
	const { env } = await readProcess(system.pids()[name]);
	const main = new URL(`../../services/${name}/src/main.ts`, import.meta.url);
	const child = spawn(process.execPath, [fileURLToPath(main)], {
		env: { ...env, OPS_PORT: opsPort, ...own },
		stdio: ["ignore", "ignore", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const exit = once(child, "exit") as Promise<[number | null]>;
	const opsUrl = `http://127.0.0.1:${opsPort}`;
	await eventually(async () => {
		expect((await fetch(`${opsUrl}/ready`)).status).toBe(200);
	});
	return {
		opsUrl,
		async terminate() {
			const startedAt = performance.now();
			child.kill("SIGTERM");
			const [code] = await exit;
			return { code, tookMs: performance.now() - startedAt };
		},
	};
}
