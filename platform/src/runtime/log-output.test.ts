import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = `
	import { createLogger } from ${JSON.stringify(import.meta.resolve("./log.ts"))};
	const log = createLogger({ service: "test", level: "info" });
	process.on("message", (order) => {
		if (order === "end") process.exit(0);
		log.info("a line");
		process.send("logged");
	});
	process.send("started");
`;

function startOn(output: string): ChildProcess {
	const fd = openSync(output, "w");
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", SCRIPT],
		{ stdio: ["ignore", fd, "ignore", "ipc"] },
	);
	closeSync(fd);
	onTestFinished(() => void child.kill("SIGKILL"));
	return child;
}

// Every write to this device fails as on a full disk.
test.runIf(process.platform === "linux")(
	"a process whose log is on a full disk goes on without it, and ends when it is to end",
	async () => {
		const child = startOn("/dev/full");
		await once(child, "message");
		for (let lines = 0; lines < 10; lines++) {
			child.send("log");
			expect(await once(child, "message")).toEqual(["logged", undefined]);
		}
		child.send("end");
		expect(await once(child, "exit")).toEqual([0, null]);
	},
	30_000,
);
