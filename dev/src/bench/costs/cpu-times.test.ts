import { spawn } from "node:child_process";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, expect, test } from "vitest";
import { readCpuSeconds } from "./cpu-times.ts";

const BUSY = "for (;;);";
/** A process that rests while its child is busy. */
const PARENT = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(BUSY)}]); setInterval(() => {}, 1e6)`;
let parent: ReturnType<typeof spawn> | undefined;

afterEach(() => {
	if (parent?.pid !== undefined) process.kill(-parent.pid, "SIGKILL");
});

test("the CPU time of a process has that of its children in it", async () => {
	parent = spawn(process.execPath, ["-e", PARENT], { detached: true });
	const pids = { parent: parent.pid, gone: undefined };
	await eventually(async () => {
		const seconds = await readCpuSeconds(pids);
		expect([...seconds.keys()]).toEqual(["parent"]);
		expect(seconds.get("parent")).toBeGreaterThan(1);
	});
});
