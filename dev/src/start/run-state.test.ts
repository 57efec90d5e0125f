import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { identify } from "./process-identity.ts";
import { holdDataDir } from "./run-state.ts";

let dir: string;
let bystander: number;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-run-"));
	const child = spawn("sleep", ["60"], { stdio: "ignore" });
	bystander = child.pid ?? 0;
});

afterEach(async () => {
	if (await identify(bystander)) process.kill(bystander, "SIGKILL");
	await rm(dir, { recursive: true, force: true });
});

const gone = { pid: 1, startedAt: "before the flood" };

async function leaveBehind(processes: object): Promise<void> {
	const content = { supervisor: gone, processes };
	await writeFile(join(dir, "run.json"), JSON.stringify(content));
}

it("refuses a folder that a live process holds, in one sentence", async () => {
	const state = await holdDataDir(dir);
	const second = holdDataDir(dir);
	await expect(second).rejects.toThrow(
		`already runs on ${dir} (process ${process.pid})`,
	);
	await expect(second).rejects.not.toThrow("\n");
	await state.release();
	await (await holdDataDir(dir)).release();
});

it("ends what a killed supervisor left running", async () => {
	await leaveBehind({ messaging: await identify(bystander) });
	await holdDataDir(dir);
	expect(await identify(bystander)).toBeUndefined();
});

it("spares a stranger who has been given the pid since", async () => {
	await leaveBehind({ messaging: { pid: bystander, startedAt: "earlier" } });
	await holdDataDir(dir);
	expect(await identify(bystander)).toBeDefined();
});

it("recovers from a file that was cut off", async () => {
	await writeFile(join(dir, "run.json"), '{"superv');
	await (await holdDataDir(dir)).release();
});

it("remembers processes by name, and forgets them when they end", async () => {
	const state = await holdDataDir(dir);
	await state.record("messaging", bystander);
	const held = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	expect(held.processes).toEqual({ messaging: await identify(bystander) });
	await state.record("messaging", undefined);
	const after = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	expect(after.processes).toEqual({});
	await state.release();
});
