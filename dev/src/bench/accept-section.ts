import type { Figure } from "./figures.ts";
import { measureEmptyRoute } from "./measure-empty-route.ts";
import { generateLoad } from "./open-loop-process.ts";
import { percentile } from "./percentile.ts";
import type { BenchContext, Section } from "./section.ts";
import { warmUp } from "./warm-up.ts";
import { runWrk, type WrkResult } from "./wrk.ts";

const SECONDS = 10;
const LATENCY_S = 20;
const MANY = { connections: 256, floor: 0.2, aim: 0.4 };
const FEW = { connections: 64, floor: 0.12, aim: 0.25 };
const P99_FLOOR_MS = 50;
const P99_AIM_MS = 25;

/** Accepted messages per second beside an empty route, and the latency at half of the most. */
export const acceptSection: Section = async (context) => {
	await warmUp(context);
	const many = await compare(context, MANY);
	const few = await compare(context, FEW);
	const latency = await measureLatency(context, many.perSecond / 2);
	return [...many.figures, ...few.figures, latency];
};

async function compare(
	{ bench, say }: BenchContext,
	{ connections, floor, aim }: typeof MANY,
): Promise<{ perSecond: number; figures: Figure[] }> {
	say(`Accepting at ${connections} connections, beside an empty route.`);
	const empty = await measureEmptyRoute(connections, SECONDS);
	const accepted = await load(bench, connections, SECONDS);
	await bench.untilAtRest();
	say(`  empty route ${describe(empty)}`);
	say(`  POST /sms/send ${describe(accepted)}`);
	const name = `accepted, ${connections} connections`;
	const ratio: Figure = {
		name: `${name}, to an empty route`,
		value: accepted.perSecond / empty.perSecond,
		unit: "ratio",
		better: "higher",
		floor,
		aim,
	};
	const rate: Figure = {
		name,
		value: accepted.perSecond,
		unit: "/s",
		better: "higher",
	};
	return { perSecond: accepted.perSecond, figures: [rate, ratio] };
}

function load(
	{ sendUrl, apiKey }: BenchContext["bench"],
	connections: number,
	seconds: number,
): Promise<WrkResult> {
	return runWrk({ url: sendUrl, apiKey, connections, seconds });
}

function describe({ perSecond, p50Ms, p99Ms }: WrkResult): string {
	return `${Math.round(perSecond)}/s (p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms)`;
}

async function measureLatency(
	{ bench, say }: BenchContext,
	ratePerSecond: number,
): Promise<Figure> {
	say(`Accepting at half of the most, ${Math.round(ratePerSecond)}/s.`);
	const result = await generateLoad({
		url: bench.sendUrl,
		apiKey: bench.apiKey,
		ratePerSecond,
		seconds: LATENCY_S,
		connections: MANY.connections,
		run: "half",
	});
	await bench.untilAtRest();
	if (result.accepted < result.sent)
		throw new Error(`Not all were accepted: ${JSON.stringify(result.refused)}`);
	return {
		name: "accept p99 at half of the maximum rate",
		value: percentile(result.latenciesMs, 0.99),
		unit: "ms",
		better: "lower",
		floor: P99_FLOOR_MS,
		aim: P99_AIM_MS,
	};
}
