import type { Bench } from "../bench.ts";
import type { EmptyRates } from "../empty-route.ts";
import { type Figure, rateFigures } from "../figures.ts";
import { storeMessages } from "../store-rows.ts";
import { runWrk } from "../wrk.ts";

const SECONDS = 5;
const MANY = { floor: 0.2, aim: 0.35 };
const FEW = { floor: 0.12, aim: 0.2 };
const STORED = 1_000_000;

export async function measureAccept(
	bench: Bench,
	empty: EmptyRates,
): Promise<Figure[]> {
	const name = "most accepted, delivery paused";
	const many = await measureMostAccepted(bench, 256);
	const few = await measureMostAccepted(bench, 64);
	return [
		...rateFigures(`${name}, 256 connections`, many, empty[256], MANY),
		...rateFigures(`${name}, 64 connections`, few, empty[64], FEW),
	];
}

export async function measureFull(bench: Bench): Promise<Figure[]> {
	// The first load warms up: run alone, the section would flatter the full store.
	await measureMostAccepted(bench, 256);
	const without = await measureMostAccepted(bench, 256);
	await storeMessages(bench, STORED);
	const stored = await measureMostAccepted(bench, 256);
	const name = `accepted with ${STORED.toLocaleString("en-US")} messages stored`;
	return [{ name, value: stored / without, unit: "ratio", floor: 0.8 }];
}

/** Accepted per second while the process that delivers is stopped. */
async function measureMostAccepted(
	{ system, target, untilAtRest }: Bench,
	connections: number,
): Promise<number> {
	await system.kill("messaging-delivery", "SIGSTOP");
	const load = runWrk(target, connections, SECONDS);
	const { perSecond } = await load.finally(() =>
		system.kill("messaging-delivery", "SIGCONT"),
	);
	await untilAtRest();
	return perSecond;
}
