import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import {
	commandLine,
	isRunning,
	type ProcessIdentity,
} from "../processes/process-identity.ts";
import { holdDataDir } from "./run-state.ts";

const HOLDER = fileURLToPath(
	new URL("../../test/support/folder-holder.ts", import.meta.url),
);
const STARTERS = 6;
const ROUNDS = 4;

let dir: string;
let bystander: ProcessIdentity;
let starters: ChildProcess[] = [];

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-run-"));
	const child = spawn("sleep", ["60"], { stdio: "ignore" });
	bystander = { pid: child.pid ?? 0, mark: "sleep 60" };
});

afterEach(async () => {
	for (const starter of starters) starter.kill("SIGKILL");
	starters = [];
	if (await isRunning(bystander)) process.kill(bystander.pid, "SIGKILL");
	await rm(dir, { recursive: true, force: true });
});

const gone = { pid: 1, mark: "before the flood" };

async function leaveBehind(processes: object, folder = dir): Promise<void> {
	const content = { dataDir: folder, supervisor: gone, processes };
	await writeFile(join(folder, "run.json"), JSON.stringify(content));
}

/** Sends a starter a folder to hold, or none to let it go; returns whether it holds one. */
async function tell(starter: ChildProcess, folder?: string): Promise<boolean> {
	const response = once(starter, "message");
	starter.send({ folder });
	const [holds] = await response;
	return holds;
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

it.each([
	["fresh", async () => {}],
	["left behind", (folder: string) => leaveBehind({}, folder)],
])(
	"gives a %s folder to exactly one of many starts at the same moment, every time",
	async (_what, prepare) => {
		starters = Array.from({ length: STARTERS }, () => fork(HOLDER));
		await Promise.all(starters.map((starter) => tell(starter)));
		const holders: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const folder = await mkdtemp(join(dir, "data-"));
			await prepare(folder);
			const held = await Promise.all(
				starters.map((starter) => tell(starter, folder)),
			);
			holders.push(held.filter(Boolean).length);
			await Promise.all(starters.map((starter) => tell(starter)));
		}
		expect(holders).toEqual(Array(ROUNDS).fill(1));
	},
);

it("gives the folder of a killed holder to the next start", async () => {
	const holder = fork(HOLDER);
	starters = [holder];
	expect(await tell(holder, dir)).toBe(true);
	await expect(holdDataDir(dir)).rejects.toThrow(`(process ${holder.pid})`);
	const ended = once(holder, "exit");
	holder.kill("SIGKILL");
	await ended;
	await (await holdDataDir(dir)).release();
});

it("refuses a copy of a folder in use and spares the processes of the original", async () => {
	const mark = await commandLine(process.pid);
	const supervisor = { pid: process.pid, mark };
	const processes = { messaging: bystander };
	const content = { dataDir: `${dir}-original`, supervisor, processes };
	await writeFile(join(dir, "run.json"), JSON.stringify(content));
	await expect(holdDataDir(dir)).rejects.toThrow(`(process ${process.pid})`);
	expect(await isRunning(bystander)).toBe(true);
});

it("records nothing once the folder is given free", async () => {
	const state = await holdDataDir(dir);
	const recorded = state.record("messaging", bystander);
	await state.release();
	await recorded;
	const next = await holdDataDir(dir);
	await state.record("messaging", bystander);
	await state.release();
	const stored = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	expect(stored.processes).toEqual({});
	await next.release();
});

it("ends what a killed supervisor left running", async () => {
	await leaveBehind({ messaging: bystander });
	await holdDataDir(dir);
	expect(await isRunning(bystander)).toBe(false);
});

it("takes a folder whose processes end by themselves at that moment", async () => {
	await leaveBehind({ messaging: bystander });
	const { kill } = process;
	const killing = vi.spyOn(process, "kill");
	onTestFinished(() => killing.mockRestore());
	killing.mockImplementationOnce((pid) => {
		kill.call(process, pid, "SIGKILL");
		throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
	});
	await (await holdDataDir(dir)).release();
	expect(await isRunning(bystander)).toBe(false);
});

it("spares a stranger who has been given the pid since", async () => {
	await leaveBehind({ messaging: { ...bystander, mark: "messaging" } });
	await holdDataDir(dir);
	expect(await isRunning(bystander)).toBe(true);
});

it("recovers from a file that was cut off", async () => {
	await writeFile(join(dir, "run.json"), '{"superv');
	await (await holdDataDir(dir)).release();
});

it("remembers processes by name, and forgets them when they end", async () => {
	const state = await holdDataDir(dir);
	await state.record("messaging", bystander);
	const stored = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	expect(stored.processes).toEqual({ messaging: bystander });
	await state.record("messaging");
	const after = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	expect(after.processes).toEqual({});
	await state.release();
});
