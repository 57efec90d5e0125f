import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@airtower/platform/runtime/ports";
import { machineEnv } from "@airtower/platform/testing/machine-env";
import { onTestFinished } from "vitest";

const MAIN = fileURLToPath(
	import.meta.resolve("@airtower/simulators/smsc/main"),
);

/** An operator as a process of its own, which may be killed, frozen and started again at its address. */
export interface SmscProcess {
	readonly port: number;
	signal(signal: NodeJS.Signals): void;
	/** Kills it at once. */
	kill(): Promise<void>;
	restart(): Promise<void>;
}

export async function startSmscProcess(): Promise<SmscProcess> {
	const port = await freePort();
	const controlPort = await freePort();
	const start = async () => {
		const child = spawn(process.execPath, [MAIN], {
			env: {
				...machineEnv(),
				SMSC_PORT: String(port),
				SMSC_CONTROL_PORT: String(controlPort),
			},
			stdio: ["ignore", "pipe", "inherit"],
		});
		const ended = once(child, "exit");
		await Promise.race([once(child.stdout, "data"), ended]);
		if (child.exitCode !== null) throw new Error("The SMSC did not start.");
		return { child, ended };
	};
	let running = await start();
	const kill = async () => {
		running.child.kill("SIGKILL");
		await running.ended;
	};
	onTestFinished(kill);
	return {
		port,
		signal: (signal) => running.child.kill(signal),
		kill,
		restart: async () => {
			running = await start();
		},
	};
}
