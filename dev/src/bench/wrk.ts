import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { PublicApi } from "../demo/public-api.ts";
import { StartError } from "../start/system.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("./send.lua", import.meta.url));
const THREADS = 2;

export interface WrkOptions extends PublicApi {
	readonly connections: number;
	readonly seconds: number;
}

export interface WrkResult {
	readonly perSecond: number;
	readonly p99Ms: number;
}

/** What the script prints. */
interface Summary {
	readonly requests: number;
	readonly durationUs: number;
	readonly p99Us: number;
	readonly badStatuses: number;
	readonly socketErrors: number;
}

/**
 * Sends messages as fast as the connections allow (closed loop).
 * Throws when a response was not 2xx or a connection failed, for such a figure says nothing, and when wrk is missing.
 */
export async function runWrk(options: WrkOptions): Promise<WrkResult> {
	const url = `${options.baseUrl}/sms/send`;
	const { stdout } = await run("wrk", [
		`--threads=${THREADS}`,
		`--connections=${options.connections}`,
		`--duration=${options.seconds}s`,
		"--timeout=10s",
		`--script=${SCRIPT}`,
		...[url, "--", options.apiKey, Date.now().toString(36)],
	]).catch(explainMissing);
	const summary = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Summary;
	const { requests, badStatuses, socketErrors } = summary;
	if (badStatuses + socketErrors > 0)
		throw new Error(
			`of ${requests} requests ${badStatuses} were refused and ${socketErrors} failed.`,
		);
	return {
		perSecond: requests / (summary.durationUs / 1e6),
		p99Ms: summary.p99Us / 1e3,
	};
}

function explainMissing(error: NodeJS.ErrnoException): never {
	if (error.code !== "ENOENT") throw error;
	throw new StartError(
		"The benchmarks need wrk: apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).",
	);
}
