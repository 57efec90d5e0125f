import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "./launch.ts";
import { isRunning } from "./process-identity.ts";

let dir: string;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower my dir é 100%25 #1-"));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

it("runs a module in a folder of any name", async () => {
	const path = join(dir, "stand-in.ts");
	await writeFile(path, "console.log(import.meta.filename);");
	const lines: string[] = [];
	const command = { program: process.execPath, args: [path], env: {} };
	const run = await launch(
		{ ...command, mark: path, stopSignal: "SIGTERM" },
		(line) => lines.push(line),
	);
	expect(await run.ended).toBe("exit code 0");
	expect(lines).toEqual([path]);
});

it("ends a service whose supervisor was killed without a word", async () => {
	const path = join(dir, "supervisor.ts");
	const module = new URL("./launch.ts", import.meta.url).href;
	await writeFile(
		path,
		`import { launch } from ${JSON.stringify(module)};
		const args = ["-e", "setInterval(() => {}, 1000)", "--", import.meta.filename];
		const mark = import.meta.filename;
		const run = await launch(
			{ program: process.execPath, args, env: {}, mark, stopSignal: "SIGTERM" },
			() => {},
		);
		process.send(run.pid);`,
	);
	const supervisor = fork(path);
	const [pid] = await once(supervisor, "message");
	supervisor.kill("SIGKILL");
	await eventually(async () =>
		expect(await isRunning({ pid, mark: path })).toBe(false),
	);
});
