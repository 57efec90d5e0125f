import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { lowerPriority } from "./lower-priority.ts";

/** A process of several threads, in a session of its own. */
async function startIdler(): Promise<number> {
	const child = spawn(
		process.execPath,
		["-e", "setTimeout(() => {}, 60_000)"],
		{
			detached: true,
			stdio: "ignore",
		},
	);
	await once(child, "spawn");
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	if (child.pid === undefined) throw new Error("It has no process id.");
	return child.pid;
}

test("a process gets a lower priority, and its session where the machine weighs sessions", async () => {
	const pid = await startIdler();
	const path = `/proc/${pid}/autogroup`;
	expect(getPriority(pid)).toBe(getPriority());
	await lowerPriority(pid);
	expect(getPriority(pid)).toBe(5);
	const threads = `/proc/${pid}/task`;
	if (existsSync(threads))
		for (const thread of await readdir(threads))
			expect(getPriority(Number(thread))).toBe(5);
	if (existsSync(path)) expect(await readFile(path, "utf8")).toMatch(/nice 5/);
});

test("a process that has ended is no failure", async () => {
	const child = spawn("true", { stdio: "ignore" });
	await once(child, "exit");
	await expect(lowerPriority(child.pid ?? 0)).resolves.toBeUndefined();
});
