import type { BenchContext } from "./section.ts";
import { runWrk } from "./wrk.ts";

const CONNECTIONS = 256;
/** Until then the processes still compile what they run often. */
const SECONDS = 25;

const warm = new WeakSet<BenchContext["bench"]>();

/** Loads a system that has not been loaded before, and lets it come to rest. */
export async function warmUp({ bench, say }: BenchContext): Promise<void> {
	if (warm.has(bench)) return;
	warm.add(bench);
	say("Warming up.");
	const { sendUrl: url, apiKey } = bench;
	await runWrk({ url, apiKey, connections: CONNECTIONS, seconds: SECONDS });
	await bench.untilAtRest();
}
