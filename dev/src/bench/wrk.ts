import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { PublicApi } from "../demo/public-api.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("./send.lua", import.meta.url));

type Summary = Record<"requests" | "durationUs" | "p99Us" | "failures", number>;

/**
 * Each connection sends as soon as it has a response. Throws when one was not 2xx or a connection failed.
 * @param priority of the messages; left out by default
 */
export async function runWrk(
	{ baseUrl, apiKey }: PublicApi,
	connections: number,
	seconds: number,
	priority?: "otp",
): Promise<{ readonly perSecond: number; readonly p99Ms: number }> {
	const { stdout } = await run("wrk", [
		"--threads=2",
		`--connections=${connections}`,
		`--duration=${seconds}s`,
		"--timeout=10s",
		`--script=${SCRIPT}`,
		`${baseUrl}/sms/send`,
		"--",
		apiKey,
		Date.now().toString(36),
		...(priority === undefined ? [] : [priority]),
	]).catch(explainMissing);
	const { requests, durationUs, p99Us, failures } = JSON.parse(
		stdout.trim().split("\n").at(-1) ?? "",
	) as Summary;
	if (failures > 0)
		throw new Error(`of ${requests} requests ${failures} failed.`);
	return { perSecond: requests / (durationUs / 1e6), p99Ms: p99Us / 1e3 };
}

function explainMissing(error: NodeJS.ErrnoException): never {
	if (error.code !== "ENOENT") throw error;
	throw new Error(
		"The benchmarks need wrk: apt-get install wrk (Debian, Ubuntu) or brew install wrk (macOS).",
	);
}
