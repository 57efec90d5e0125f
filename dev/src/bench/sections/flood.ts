import type { Section } from "../bench-context.ts";
import { rateFigures } from "../figures.ts";
import { runWrk } from "../wrk.ts";

const SECONDS = 15;
const CONNECTIONS = 256;

export const floodSection: Section = {
	title: "a flood at 256 connections: accept p99, and delivered meanwhile",
	measure: async ({ bench, emptyRate, seconds }) => {
		const before = await bench.countDelivered();
		const startedAt = performance.now();
		const { perSecond, p99Ms } = await runWrk({
			...{ ...bench.target, connections: CONNECTIONS },
			seconds: seconds(SECONDS),
		});
		const delivered = (await bench.countDelivered()) - before;
		const deliveredRate = delivered / ((performance.now() - startedAt) / 1_000);
		const empty = emptyRate(CONNECTIONS);
		return [
			...rateFigures("accepted under a flood", perSecond, empty, {}),
			...rateFigures("delivered under a flood", deliveredRate, empty, {
				...{ floor: 0.055, aim: 0.09 },
			}),
			{
				...{ name: "accept p99 under a flood", value: p99Ms, unit: "ms" },
				...{ floor: 250, aim: 120 },
			},
		];
	},
};
