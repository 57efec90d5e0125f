import { type BenchSystem, startBenchSystem } from "./bench-system.ts";
import { type CallbackSink, openCallbackSink } from "./callback-sink.ts";
import { measureEmptyRoute } from "./empty-route-load.ts";
import type { Figure } from "./figures.ts";
import { runWrk } from "./wrk.ts";

/** What every section works with. */
export interface BenchContext {
	readonly bench: BenchSystem;
	readonly sink: CallbackSink;
	readonly rows: number;
	readonly say: (text: string) => void;
	/** Length of a load, s: what is usual, unless the command line says otherwise. */
	seconds(usual: number): number;
	/** The rate of an empty route, per second, measured before the system was started. */
	emptyRate(connections: 64 | 256): number;
	close(): Promise<void>;
}

/** Measures one thing on a system at rest. */
export interface Section {
	readonly title: string;
	readonly measure: (context: BenchContext) => Promise<readonly Figure[]>;
}

const EMPTY_ROUTE_S = 6;
/** Until then the processes still compile what they run often. */
const WARM_UP_S = 12;

interface ContextSettings {
	readonly rows: number;
	readonly seconds: number | undefined;
	readonly say: (text: string) => void;
}

/** Measures the empty route, then starts a system and warms it up. */
export async function openContext({
	rows,
	seconds,
	say,
}: ContextSettings): Promise<BenchContext> {
	const emptyRates = await measureEmptyRoute(
		[64, 256],
		seconds ?? EMPTY_ROUTE_S,
	);
	for (const [connections, rate] of emptyRates)
		say(`An empty route at ${connections} connections: ${Math.round(rate)}/s`);
	say("Starting a system of its own, with Kafka.");
	const bench = await startBenchSystem();
	try {
		const sink = await openCallbackSink(bench);
		say("Warming up.");
		await runWrk({
			...bench.target,
			connections: 256,
			seconds: seconds ?? WARM_UP_S,
		});
		await bench.untilAtRest();
		return {
			...{ bench, sink, rows, say },
			seconds: (usual) => seconds ?? usual,
			emptyRate: (connections) => emptyRates.get(connections) ?? 0,
			close: async () => {
				await sink.close();
				await bench.stop();
			},
		};
	} catch (error) {
		await bench.stop();
		throw error;
	}
}
