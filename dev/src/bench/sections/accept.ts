import type { BenchContext, Section } from "../bench-context.ts";
import { type Figure, rateFigures } from "../figures.ts";
import { runWrk } from "../wrk.ts";

const SECONDS = 5;
const MANY = { floor: 0.2, aim: 0.35 };
const FEW = { floor: 0.12, aim: 0.2 };

export const acceptSection: Section = {
	title: "most accepted while delivery is paused, at 256 and 64 connections",
	measure: async (context) => {
		const many = await measureMostAccepted(context, 256);
		await context.bench.untilAtRest();
		const few = await measureMostAccepted(context, 64);
		return [
			...toFigures(context, 256, many, MANY),
			...toFigures(context, 64, few, FEW),
		];
	},
};

/** Accepted per second while the process that delivers is stopped; leaves its work to be done. */
export async function measureMostAccepted(
	{ bench, seconds }: BenchContext,
	connections: number,
): Promise<number> {
	const { system, target } = bench;
	await system.kill("messaging-delivery", "SIGSTOP");
	try {
		const load = { ...target, connections, seconds: seconds(SECONDS) };
		return (await runWrk(load)).perSecond;
	} finally {
		await system.kill("messaging-delivery", "SIGCONT");
	}
}

function toFigures(
	context: BenchContext,
	connections: 64 | 256,
	perSecond: number,
	wanted: typeof MANY,
): Figure[] {
	const name = `most accepted, delivery paused, ${connections} connections`;
	const empty = context.emptyRate(connections);
	return rateFigures(name, perSecond, empty, wanted);
}
