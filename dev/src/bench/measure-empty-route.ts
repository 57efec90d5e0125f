import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@airtower/platform/runtime/ports";
import { machineEnv } from "../start/service-env.ts";
import { runWrk, type WrkResult } from "./wrk.ts";

const MAIN = fileURLToPath(new URL("./empty-route.ts", import.meta.url));
const READY_TIMEOUT_MS = 10_000;
const WARM_UP_S = 3;

/** Loads an empty Fastify route in its own process, after a warm-up. */
export async function measureEmptyRoute(
	connections: number,
	seconds: number,
): Promise<WrkResult> {
	const port = await freePort();
	const child = spawn(process.execPath, [MAIN], {
		env: { ...machineEnv(), PORT: String(port) },
		stdio: ["ignore", "ignore", "inherit"],
	});
	try {
		const url = `http://127.0.0.1:${port}/`;
		await untilListening(url);
		await runWrk({ url, apiKey: "none", connections, seconds: WARM_UP_S });
		return await runWrk({ url, apiKey: "none", connections, seconds });
	} finally {
		child.kill("SIGTERM");
		await once(child, "exit");
	}
}

async function untilListening(url: string): Promise<void> {
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (
		!(await fetch(url).then(
			() => true,
			() => false,
		))
	) {
		if (Date.now() > deadline)
			throw new Error("The empty route does not start.");
		await delay(50);
	}
}
