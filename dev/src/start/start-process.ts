import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SupervisedProcess } from "../processes/supervised-process.ts";
import { type Assembly, supervisionFor } from "./assembly.ts";
import type { ExtraEnv, ProcessName } from "./system.ts";

export interface OwnProcess {
	readonly name: ProcessName;
	readonly main: string;
	readonly env: ExtraEnv;
	readonly extraEnv?: ExtraEnv | undefined;
	readonly readyUrl: string;
}

/** The repository's root, with a slash at the end. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const READY_CHECK_TIMEOUT_MS = 2_000;

export function startProcess(
	assembly: Assembly,
	{ name, main, env, extraEnv, readyUrl }: OwnProcess,
): Promise<void> {
	const mark = `--data-dir=${assembly.dataDir}/`;
	const supervised = new SupervisedProcess({
		...supervisionFor(assembly, name),
		name,
		command: {
			program: process.execPath,
			args: [join(REPOSITORY, main), mark],
			env,
			mark,
			stopSignal: "SIGTERM",
		},
		extraEnv: extraEnv ?? {},
		isReady: () => isOk(readyUrl),
	});
	assembly.processes.set(name, supervised);
	return supervised.start();
}

/** False too when nothing responds within 2 s. */
export async function isOk(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, {
			headers: { connection: "close" },
			signal: AbortSignal.timeout(READY_CHECK_TIMEOUT_MS),
		});
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}
