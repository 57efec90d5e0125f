import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startKafka } from "../../test/support/kafka.ts";
import {
	isRunning,
	type ProcessIdentity,
} from "../processes/process-identity.ts";
import type { EmbeddedKafka } from "./kafka.ts";
import { canRunKafka } from "./kafka-jars.ts";

/** Without Java and Maven there is no broker of our own to test; under CI=true there must be. */
const runs = process.env.CI === "true" || (await canRunKafka());

let dataDir: string;
let kafka: EmbeddedKafka | undefined;

afterEach(async () => {
	vi.unstubAllEnvs();
	await kafka?.process.kill();
	kafka = undefined;
	await rm(dataDir, { recursive: true, force: true });
});

it.runIf(runs)("is ended when its start is called off", async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
	const stop = new AbortController();
	const seen: ProcessIdentity[] = [];
	const onIdentity = async (identity?: ProcessIdentity) => {
		if (identity !== undefined) seen.push(identity);
		stop.abort(new Error("called off"));
	};
	const supervision = { signal: stop.signal, onIdentity };
	const attempt = startKafka({ dataDir, supervision });
	await expect(attempt).rejects.toThrow("called off");
	expect(await Promise.all(seen.map(isRunning))).toEqual([false]);
});

it.runIf(runs)(
	"does not wait for a broker that was killed while it started",
	async () => {
		dataDir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
		const onIdentity = async (identity?: ProcessIdentity) => {
			if (identity !== undefined) process.kill(identity.pid, "SIGKILL");
		};
		const attempt = startKafka({ dataDir, supervision: { onIdentity } });
		await expect(attempt).rejects.toThrow("Kafka did not start");
	},
);

it.runIf(runs)(
	"keeps its data in a folder of any name, in any locale, and can be killed while it takes too long to stop",
	async () => {
		vi.stubEnv("LC_ALL", "C");
		dataDir = await mkdtemp(join(tmpdir(), "airtower my dir é ł, \\u-"));
		kafka = await startKafka({ dataDir });
		expect(await readdir(join(dataDir, "log"))).toContain("meta.properties");
		const pid = Number(kafka.process.pid);
		process.kill(pid, "SIGSTOP");
		const stopping = kafka.process.stop(60_000);
		await kafka.process.kill();
		expect(await isRunning({ pid, mark: dataDir })).toBe(false);
		await stopping;
		expect(kafka.process.pid).toBeUndefined();
	},
);
