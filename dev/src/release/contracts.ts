import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROTO = fileURLToPath(new URL("../../../proto/", import.meta.url));
const BUF = fileURLToPath(
	new URL("../../../node_modules/.bin/buf", import.meta.url),
);
/** buf's exit code where it has found something. */
const FOUND = 100;

const run = promisify(execFile);

/** Writes the image of this repository's contracts. */
export async function buildContracts(file: string): Promise<void> {
	await run(BUF, ["build", "--exclude-source-info", "--output", file], {
		cwd: PROTO,
	});
}

/**
 * Lines for what callers and readers of the image would not understand in `proto` (default: this repository's
 * contracts). Throws Error when buf cannot compare.
 */
export async function compareContracts(
	image: string,
	proto = PROTO,
): Promise<string[]> {
	try {
		await run(BUF, ["breaking", "--against", image], { cwd: proto });
		return [];
	} catch (error) {
		const { code, stdout } = error as { code?: number; stdout?: string };
		if (code !== FOUND) throw error;
		return (stdout ?? "").trim().split("\n");
	}
}
