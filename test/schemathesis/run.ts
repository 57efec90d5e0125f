import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPython, makeRunFolder } from "../support/python.ts";
import { type RunReport, readReport } from "./findings.ts";

/** Chooses the inputs; another number, other inputs. */
const SEED = 1;
/** Generated requests of each operation in each phase that generates some. */
const EXAMPLES = 10;
const PHASES = ["examples", "coverage", "fuzzing", "stateful"];
const TIME_LIMIT_MS = 240_000;
/** What the command returns when a check failed. */
const FOUND = 1;

const document = fileURLToPath(
	new URL("../../services/gateway/openapi.json", import.meta.url),
);

export interface Target {
	readonly baseUrl: string;
	readonly apiKey: string;
}

/** All checks in all phases: examples, edges of each field, generated requests, chains of requests. */
export async function runSchemathesis(target: Target): Promise<RunReport> {
	const requirements = new URL("./requirements.txt", import.meta.url);
	const bin = await installPython("schemathesis", requirements);
	const folder = await makeRunFolder("schemathesis");
	try {
		const report = join(folder, "events.ndjson");
		await run(join(bin, "st"), folder, [
			"run",
			document,
			"--url",
			target.baseUrl,
			"--header",
			`Authorization: Bearer ${target.apiKey}`,
			"--checks",
			"all",
			"--phases",
			PHASES.join(","),
			"--continue-on-failure",
			"--no-shrink",
			"--no-color",
			"--seed",
			String(SEED),
			"--max-examples",
			String(EXAMPLES),
			"--generation-database",
			"none",
			"--generation-with-security-parameters",
			"false",
			"--report",
			"ndjson",
			"--report-ndjson-path",
			report,
		]);
		return await readReport(report);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function run(
	command: string,
	cwd: string,
	args: readonly string[],
): Promise<void> {
	const child = spawn(command, args, {
		cwd,
		timeout: TIME_LIMIT_MS,
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			output += chunk;
		});
	const code = await new Promise<number | null>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", resolve);
	});
	if (code !== 0 && code !== FOUND)
		throw new Error(`schemathesis ended with ${code}:\n${output}`);
}
