import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { isRunning, type ProcessIdentity } from "./process-identity.ts";
import { StartError } from "./start-error.ts";
import { SupervisedProcess } from "./supervised-process.ts";
import { type ProcessEvent, unsupervised } from "./supervision.ts";

/** Writes its words into a file while it lives; ends as its environment says. */
const STAND_IN = `
import { appendFileSync } from "node:fs";
if (process.env.FAIL) { console.error("stand-in: " + process.env.FAIL); process.exit(1); }
if (process.env.SILENT) process.exit(Number(process.env.SILENT));
if (process.env.STUBBORN) process.on("SIGTERM", () => {});
if (process.env.POLITE) process.on("SIGTERM", () => process.exit(0));
appendFileSync(process.env.LIVES, JSON.stringify({ ...process.env, pid: process.pid }) + "\\n");
if (process.env.FAULT_POINTS) setTimeout(() => process.kill(process.pid, "SIGKILL"), 200);
console.log("alive");
setInterval(() => {}, 1000);
`;

let dir: string;
let main: string;
let lives: string;
let events: ProcessEvent[] = [];
let processes: SupervisedProcess[] = [];

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-supervisor-"));
	main = join(dir, "stand-in.ts");
	await writeFile(main, STAND_IN);
});

afterEach(async () => {
	await Promise.all(processes.map((each) => each.kill("SIGKILL")));
	await Promise.all(processes.map((each) => each.closeLog()));
	processes = [];
	events = [];
});

afterAll(() => rm(dir, { recursive: true, force: true }));

function supervise(
	extraEnv: Record<string, string> = {},
	{
		onIdentity = async (_?: ProcessIdentity) => {},
		isReady = async (pid: number) =>
			(await readLives()).some((life) => life.pid === pid),
	} = {},
) {
	lives = join(dir, `lives-${Math.random()}`);
	const supervised = new SupervisedProcess({
		...unsupervised(join(dir, "stand-in.log")),
		name: "stand-in",
		command: {
			program: process.execPath,
			args: [main],
			env: { LIVES: lives, OWN: "yes" },
			mark: main,
			stopSignal: "SIGTERM",
		},
		extraEnv,
		isReady,
		restartCrashed: true,
		onEvent: (event) => events.push(event),
		onIdentity,
	});
	processes.push(supervised);
	return supervised;
}

async function readLives(): Promise<Record<string, unknown>[]> {
	const text = await readFile(lives, "utf8").catch(() => "");
	return text
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

function crashes() {
	return events.filter((event) => event.kind === "crashed");
}

it("gives a process its own environment and nothing else", async () => {
	await supervise({ MORE: "too" }).start();
	const [life] = await readLives();
	expect(life).toMatchObject({ OWN: "yes", MORE: "too" });
	expect(new Set(Object.keys(life ?? {}))).toEqual(
		new Set(["LIVES", "MORE", "OWN", "pid"]),
	);
});

it("starts a crashed process again and says how it ended", async () => {
	const supervised = supervise();
	await supervised.start();
	const first = supervised.pid ?? 0;
	process.kill(first, "SIGKILL");
	await eventually(() =>
		expect(events.map((event) => event.kind)).toContain("restarted"),
	);
	expect(crashes()).toEqual([
		{ kind: "crashed", process: "stand-in", how: "SIGKILL", restartInMs: 500 },
	]);
	expect(supervised.pid).not.toBe(first);
});

it("is as quick the third time to start a process again that somebody asked to stop", async () => {
	const supervised = supervise({ POLITE: "yes" });
	await supervised.start();
	for (let restarts = 1; restarts <= 3; restarts++) {
		process.kill(supervised.pid ?? 0, "SIGTERM");
		await eventually(async () =>
			expect(await readLives()).toHaveLength(restarts + 1),
		);
		await eventually(() =>
			expect(events.filter(({ kind }) => kind === "restarted")).toHaveLength(
				restarts,
			),
		);
	}
	const crash = { kind: "crashed", process: "stand-in", how: "exit code 0" };
	expect(crashes()).toEqual(
		[1, 2, 3].map(() => ({ ...crash, restartInMs: 500 })),
	);
});

it("keeps a process running though its pid cannot be written down, as on a full disk", async () => {
	let pids = 0;
	const onIdentity = async () => {
		if (++pids > 1) throw new Error("ENOSPC: no space left on device");
	};
	const supervised = supervise({}, { onIdentity });
	await supervised.start();
	process.kill(supervised.pid ?? 0, "SIGKILL");
	await eventually(() =>
		expect(events.map((event) => event.kind)).toContain("restarted"),
	);
	await supervised.stop(5_000);
	expect(supervised.pid).toBeUndefined();
	expect(await readLives()).toHaveLength(2);
});

it("leaves a process down that was killed on purpose, until it is restarted", async () => {
	const supervised = supervise();
	await supervised.start();
	await supervised.kill("SIGKILL");
	expect(supervised.pid).toBeUndefined();
	expect(crashes()).toEqual([]);
	await supervised.restart();
	expect(await readLives()).toHaveLength(2);
});

it("arms a fault point for one life only", async () => {
	const supervised = supervise();
	await supervised.start();
	await supervised.restart({ FAULT_POINTS: "x" });
	await eventually(() =>
		expect(events.map((event) => event.kind)).toContain("restarted"),
	);
	const faults = (await readLives()).map((life) => life.FAULT_POINTS);
	expect(faults).toEqual([undefined, "x", undefined]);
});

it("kills a process that ignores the request to stop", async () => {
	const supervised = supervise({ STUBBORN: "yes" });
	await supervised.start();
	const pid = supervised.pid ?? 0;
	await supervised.stop(100);
	expect(await isRunning({ pid, mark: main })).toBe(false);
});

it("kills a process that is still starting at once, though its readiness check hangs", async () => {
	const asked = Promise.withResolvers<number>();
	const check = Promise.withResolvers<boolean>();
	const isReady = (pid: number) => {
		asked.resolve(pid);
		return check.promise;
	};
	const supervised = supervise({}, { isReady });
	const start = supervised.start().catch(() => "ended");
	const pid = await asked.promise;
	const killed = supervised.kill();
	await eventually(async () =>
		expect(await isRunning({ pid, mark: main })).toBe(false),
	);
	check.resolve(false);
	await killed;
	expect(await start).toBe("ended");
});

it("reports the reason of a process that does not start, and does not try again", async () => {
	const supervised = supervise({ FAIL: "Port 5 is taken." });
	const attempt = supervised.start();
	await expect(attempt).rejects.toThrow(StartError);
	await expect(attempt).rejects.toThrow(
		/^stand-in did not start: Port 5 is taken\. /,
	);
	expect(crashes()).toEqual([]);
});

it("says of a process that a signal ended before it was ready by which one, and of a silent one its exit code", async () => {
	const killed = supervise(
		{ FAULT_POINTS: "x" },
		{ isReady: async () => false },
	);
	await expect(killed.start()).rejects.toThrow(
		/^stand-in did not start: it was ended by SIGKILL\. /,
	);
	const silent = supervise({ SILENT: "3" });
	await expect(silent.start()).rejects.toThrow(
		/^stand-in did not start: it ended with exit code 3 and said nothing\. /,
	);
});
