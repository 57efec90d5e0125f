import type { Section } from "../bench-context.ts";
import { runOpenLoop } from "../open-loop.ts";
import { percentile } from "../percentile.ts";

const SECONDS = 25;
const RATE = 300;
const CONNECTIONS = 256;

export const steadySection: Section = {
	title: `accept p50 and p99 at ${RATE}/s, open loop, delivery going on`,
	measure: async ({ bench, seconds }) => {
		const latencies = await runOpenLoop({
			...{ ...bench.target, connections: CONNECTIONS, run: "steady" },
			...{ ratePerSecond: RATE, seconds: seconds(SECONDS) },
		});
		const name = (fraction: string) => `accept ${fraction} at ${RATE}/s`;
		return [
			{
				...{ name: name("p50"), value: percentile(latencies, 0.5) },
				...{ unit: "ms", floor: 15, aim: 9 },
			},
			{
				...{ name: name("p99"), value: percentile(latencies, 0.99) },
				...{ unit: "ms", floor: 60, aim: 30 },
			},
		];
	},
};
