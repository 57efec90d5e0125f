import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runWrk } from "./wrk.ts";

const MAIN = fileURLToPath(new URL("./empty-route.ts", import.meta.url));
const WARM_UP_S = 2;

/** Requests per second by number of connections, of an empty route in a process of its own. */
export async function measureEmptyRoute(
	connections: readonly number[],
	seconds: number,
): Promise<Map<number, number>> {
	const child = spawn(process.execPath, [MAIN], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [address] = await once(child.stdout.setEncoding("utf8"), "data");
	const load = { baseUrl: String(address).trim(), apiKey: "none" };
	const rates = new Map<number, number>();
	try {
		await runWrk({ ...load, connections: 256, seconds: WARM_UP_S });
		for (const each of connections) {
			const { perSecond } = await runWrk({
				...load,
				connections: each,
				seconds,
			});
			rates.set(each, perSecond);
		}
	} finally {
		child.kill("SIGKILL");
	}
	return rates;
}
