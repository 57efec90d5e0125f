import { type ChildProcess, execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, expect, it } from "vitest";

const HOLDER = fileURLToPath(
	new URL("../../test/support/lifeline-holder.ts", import.meta.url),
);

const run = promisify(execFile);

let children: ChildProcess[] = [];

afterEach(() => {
	for (const child of children) child.kill("SIGKILL");
	children = [];
});

function startSleeper(): ChildProcess {
	const sleeper = spawn("sleep", ["61"], { stdio: "ignore" });
	children.push(sleeper);
	return sleeper;
}

/** A process that holds a lifeline of the sleeper and tells when it does. */
async function startHolder(
	sleeper: ChildProcess,
	mark: string,
): Promise<ChildProcess> {
	const holder = fork(HOLDER, [String(sleeper.pid), mark]);
	children.push(holder);
	await once(holder, "message");
	return holder;
}

/** Ends a process; returns its exit code and the signal that it ended by. */
async function end(
	child: ChildProcess,
	signal: NodeJS.Signals,
): Promise<unknown[]> {
	const { exitCode, signalCode } = child;
	if (signalCode !== null) return [exitCode, signalCode];
	const ended = once(child, "exit");
	child.kill(signal);
	return ended;
}

/** Waits until no lifeline of the process is left: what it was to do is done. */
async function lifelineGone({ pid }: ChildProcess): Promise<void> {
	await eventually(async () => {
		const { stdout } = await run("ps", ["-ww", "-eo", "args="]);
		expect(stdout).not.toContain(` sh ${pid} `);
	});
}

it("ends the other process when its holder is killed", async () => {
	const sleeper = startSleeper();
	const holder = await startHolder(sleeper, "sleep 61");
	const ended = once(sleeper, "exit");
	await end(holder, "SIGKILL");
	expect(await ended).toEqual([null, "SIGINT"]);
});

it("leaves a stranger with the same pid alone", async () => {
	const sleeper = startSleeper();
	const holder = await startHolder(sleeper, "--another-command");
	await end(holder, "SIGKILL");
	await lifelineGone(sleeper);
	expect(await end(sleeper, "SIGTERM")).toEqual([null, "SIGTERM"]);
});

it("ends nothing once it is released", async () => {
	const sleeper = startSleeper();
	const holder = await startHolder(sleeper, "sleep 61");
	holder.send("release");
	await once(holder, "message");
	await end(holder, "SIGKILL");
	await lifelineGone(sleeper);
	expect(await end(sleeper, "SIGTERM")).toEqual([null, "SIGTERM"]);
});
