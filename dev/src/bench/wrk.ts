import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StartError } from "../start/system.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("./send.lua", import.meta.url));
const THREADS = 2;

export interface WrkOptions {
	readonly url: string;
	readonly apiKey: string;
	readonly connections: number;
	readonly seconds: number;
}

export interface WrkResult {
	readonly perSecond: number;
	readonly requests: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
}

interface Summary {
	readonly requests: number;
	readonly durationUs: number;
	readonly p50Us: number;
	readonly p99Us: number;
	readonly badStatuses: number;
	readonly socketErrors: number;
}

/**
 * Loads an address as fast as the connections allow (closed loop).
 * @throws Error when any answer was not 2xx or 3xx, or a connection failed: such a figure says nothing
 */
export async function runWrk(options: WrkOptions): Promise<WrkResult> {
	const label = Date.now().toString(36);
	const { stdout } = await run("wrk", [
		`--threads=${THREADS}`,
		`--connections=${options.connections}`,
		`--duration=${options.seconds}s`,
		"--timeout=10s",
		`--script=${SCRIPT}`,
		options.url,
		"--",
		options.apiKey,
		label,
	]);
	const summary = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Summary;
	if (summary.badStatuses + summary.socketErrors > 0)
		throw new Error(
			`${options.url}: of ${summary.requests} requests ${summary.badStatuses} were refused and ${summary.socketErrors} failed.`,
		);
	return {
		requests: summary.requests,
		perSecond: summary.requests / (summary.durationUs / 1e6),
		p50Ms: summary.p50Us / 1e3,
		p99Ms: summary.p99Us / 1e3,
	};
}

/** @throws StartError that says how to install wrk when it is missing */
export async function requireWrk(): Promise<void> {
	try {
		await run("sh", ["-c", "command -v wrk"]);
	} catch {
		throw new StartError(
			"The benchmarks need wrk: apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).",
		);
	}
}
