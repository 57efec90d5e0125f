import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimPorts, type PortPicker } from "@airtower/dev/ports/port-picker";
import { startSystem } from "@airtower/dev/start/start-system";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Which of the ports that are chosen is taken by a stranger right away. */
const LOST_PICK = 6;

let dataDir = "";
let stranger: Server | undefined;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-ports-"));
	await chmod(dataDir, 0o755);
});

afterAll(async () => {
	stranger?.close();
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
	const second = await startSystem({ dataDir });
	try {
		expect(second.smsc).toEqual(first.smsc);
		expect(second.cloudApi).toEqual(first.cloudApi);
	} finally {
		await second.stop();
	}
});
