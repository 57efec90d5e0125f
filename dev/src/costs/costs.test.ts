import { spawn } from "node:child_process";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, expect, test } from "vitest";
import { costTable } from "./cost-table.ts";
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

test("costs stand in columns by rate", () => {
	const costs = [
		{ name: "gateway", values: [0.01, 0.5] },
		{ name: "postgres", values: [0, 1.25] },
	];
	const table = costTable("cores", [0, 100], costs, (value) =>
		value.toFixed(2),
	);
	expect(table.split("\n")).toEqual([
		"  cores      0/s  100/s",
		"  gateway   0.01   0.50",
		"  postgres  0.00   1.25",
	]);
});
