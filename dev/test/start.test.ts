import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { claimPorts, type PortPicker } from "@airtower/dev/ports/port-picker";
import { ensureDemoData } from "@airtower/dev/start/demo-data";
import { writeDevFile } from "@airtower/dev/start/dev-file";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Which of the ports that are chosen is taken by a stranger right away. */
const LOST_PICK = 6;

let dataDir = "";
let stranger: Server | undefined;
let running: System | undefined;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-ports-"));
	await chmod(dataDir, 0o755);
});

afterAll(async () => {
	stranger?.close();
	await running?.stop();
	await rm(dataDir, { recursive: true, force: true });
});

async function claimAndLose(): Promise<PortPicker> {
	const picker = await claimPorts();
	let picks = 0;
	const pick = async (preferred?: number) => {
		const port = await picker.pick(preferred);
		if (++picks === LOST_PICK) await takePort(port);
		return port;
	};
	return { ...picker, pick };
}

async function takePort(port: number): Promise<void> {
	stranger = createServer();
	await new Promise<void>((resolve) =>
		stranger?.listen(port, "127.0.0.1", resolve),
	);
}

test("a start goes on when a chosen port is taken meanwhile, and simulators keep their ports", async () => {
	const first = await startSystem({ dataDir, claimPorts: claimAndLose });
	expect(stranger?.listening).toBe(true);
	const health = await fetch(`${first.baseUrl}/health`);
	expect(health.status).toBe(200);
	await first.stop();
	running = await startSystem({ dataDir });
	expect(running.smsc).toEqual(first.smsc);
	expect(running.cloudApi).toEqual(first.cloudApi);
});

const STATUS = fileURLToPath(new URL("../src/status.ts", import.meta.url));

/** `npm run status` on the folder: its exit code, and all that it writes. */
function status(): Promise<{ code: number; output: string }> {
	return new Promise((resolve) => {
		const args = [STATUS, "--data-dir", dataDir];
		const child = execFile(process.execPath, args, (_, stdout, stderr) =>
			resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
		);
	});
}

test("npm run status shows the address and the key of what runs, and says in one sentence that it starts or that nothing runs", async () => {
	running ??= await startSystem({ dataDir });
	const demo = await ensureDemoData(running);
	const dev = await writeDevFile(running, demo);
	const shown = await status();
	expect(shown.code).toBe(0);
	expect(shown.output).toContain(`(process ${process.pid})`);
	for (const text of [running.baseUrl, demo.apiKey, "Health     ok"])
		expect(shown.output).toContain(text);
	await eventually(async () =>
		expect((await status()).output).toContain("simulator: 1 of 1 connections"),
	);

	const earlier = JSON.stringify({ ...dev, pid: dev.pid + 1 });
	await writeFile(join(dataDir, "dev.json"), earlier);
	expect(await status()).toEqual({
		code: 1,
		output: `\n  Airtower is still starting (process ${process.pid}).\n\n`,
	});
	await running.stop();
	expect(await status()).toEqual({
		code: 1,
		output: `\n  Airtower does not run on ${dataDir}; npm start starts it.\n\n`,
	});
});
