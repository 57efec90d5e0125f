import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { isAlive } from "./end-process.ts";
import { type RunningKafka, startKafka } from "./kafka.ts";
import { canRunKafka } from "./kafka-jars.ts";

/** Without Java and Maven there is no broker of our own to test; under CI=true there must be. */
const runs = process.env.CI === "true" || (await canRunKafka());

let dataDir: string;
let kafka: RunningKafka | undefined;

afterEach(async () => {
	await kafka?.kill();
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
