import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { isAlive } from "./end-process.ts";
import { type RunningKafka, startKafka } from "./kafka.ts";
import { canRunKafka } from "./kafka-jars.ts";

/** Without Java and Maven there is no broker of our own to test; under CI=true there must be. */
const runs = process.env.CI === "true" || (await canRunKafka());

let dataDir: string;
let kafka: RunningKafka | undefined;

afterEach(async () => {
	vi.unstubAllEnvs();
	await kafka?.kill();
	kafka = undefined;
	await rm(dataDir, { recursive: true, force: true });
});

it.runIf(runs)("can be killed while it takes too long to stop", async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
	kafka = await startKafka({ dataDir });
	const pid = Number(kafka.pid);
	process.kill(pid, "SIGSTOP");
	const stopping = kafka.stop();
	await kafka.kill();
	expect(isAlive(pid)).toBe(false);
	await stopping;
	expect(kafka.pid).toBeUndefined();
});

it.runIf(runs)("is ended when its start is called off", async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
	const stop = new AbortController();
	const pids: number[] = [];
	const attempt = startKafka({
		dataDir,
		signal: stop.signal,
		onPid: async (pid) => {
			pids.push(pid);
			stop.abort(new Error("called off"));
		},
	});
	await expect(attempt).rejects.toThrow("called off");
	expect(pids.map(isAlive)).toEqual([false]);
});

it.runIf(runs)(
	"does not wait for a broker that was killed while it started",
	async () => {
		dataDir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
		const attempt = startKafka({
			dataDir,
			onPid: async (pid) => {
				process.kill(pid, "SIGKILL");
			},
		});
		await expect(attempt).rejects.toThrow("Kafka did not start on port");
	},
	60_000,
);

it.runIf(runs)(
	"keeps its data in a folder of any name, in any locale",
	async () => {
		vi.stubEnv("LC_ALL", "C");
		dataDir = await mkdtemp(join(tmpdir(), "airtower my dir é ł, \\u-"));
		kafka = await startKafka({ dataDir });
		expect(await readdir(join(dataDir, "log"))).toContain("meta.properties");
		await kafka.restart();
		expect(isAlive(Number(kafka.pid))).toBe(true);
	},
);
