import { measureSms } from "../../load/sms.ts";
import type { Bench } from "../bench.ts";
import type { EmptyRates } from "../empty-route.ts";
import { type Figure, percentile, rateFigures } from "../figures.ts";
import { runWrk } from "../wrk.ts";

const FLOOD_S = 15;
const DELIVERED = { floor: 0.055, aim: 0.09 };
const FLOOD_P99 = { name: "accept p99 under a flood", floor: 250, aim: 120 };

const STEADY = { ratePerSecond: 300, seconds: 25, run: "steady" };
const P50 = { name: "accept p50 at 300/s", floor: 15, aim: 9 };
const P99 = { name: "accept p99 at 300/s", floor: 60, aim: 30 };

export async function measureFlood(
	bench: Bench,
	empty: EmptyRates,
): Promise<Figure[]> {
	const before = await bench.countDelivered();
	const startedAt = performance.now();
	const { p99Ms } = await runWrk(bench.target, 256, FLOOD_S);
	const delivered = (await bench.countDelivered()) - before;
	const perSecond = delivered / ((performance.now() - startedAt) / 1_000);
	return [
		...rateFigures("delivered under a flood", perSecond, empty[256], DELIVERED),
		{ ...FLOOD_P99, value: p99Ms, unit: "ms" },
	];
}

export async function measureSteady({ target }: Bench): Promise<Figure[]> {
	const latencies = await measureSms(target, { ...STEADY, connections: 256 });
	return [
		{ ...P50, value: percentile(latencies, 0.5), unit: "ms" },
		{ ...P99, value: percentile(latencies, 0.99), unit: "ms" },
	];
}
