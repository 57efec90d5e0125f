import { setTimeout as delay } from "node:timers/promises";
import type { BenchContext, Section } from "../bench-context.ts";
import type { Figure } from "../figures.ts";
import { runOpenLoop } from "../open-loop.ts";
import { percentile } from "../percentile.ts";

const CONNECTIONS = 64;
const FILL_RATE = 1_500;
const FILL_S = 10;
/** Start and end of the delivery are left out: the rate between them counts. */
const FROM = 0.1;
const TO = 0.9;
const STEADY_RATE = 200;
const STEADY_S = 15;
const ARRIVAL_TIMEOUT_MS = 60_000;

export const webhooksSection: Section = {
	title:
		"webhook deliveries per second, and from the outcome to the first attempt",
	measure: async (context) => [
		await measureDeliveries(context),
		await measureFirstAttempt(context),
	],
};

/** Outcomes gather in Kafka while the process that delivers them is stopped; then it goes on. */
async function measureDeliveries(context: BenchContext): Promise<Figure> {
	const { system } = context.bench;
	await system.kill("webhooks", "SIGSTOP");
	const count = await load(context, "deliver", FILL_RATE, FILL_S).finally(() =>
		system.kill("webhooks", "SIGCONT"),
	);
	const reports = await untilReported(context, count);
	const [first, last] = [FROM, TO].map(
		(share) => reports[Math.floor((reports.length - 1) * share)],
	);
	const tookS = ((last?.receivedAt ?? 0) - (first?.receivedAt ?? 0)) / 1_000;
	return {
		...{ name: "webhook deliveries", value: (count * (TO - FROM)) / tookS },
		...{ unit: "/s", floor: 1_500, aim: 4_000 },
	};
}

async function measureFirstAttempt(context: BenchContext): Promise<Figure> {
	const count = await load(context, "attempt", STEADY_RATE, STEADY_S);
	const reports = await untilReported(context, count);
	const delays = reports.map(({ delayMs }) => delayMs);
	return {
		name: `outcome to first attempt, p95 at ${STEADY_RATE}/s`,
		...{ value: percentile(delays, 0.95), unit: "ms", floor: 1_000, aim: 250 },
	};
}

/** Returns how many messages were sent, all of them final. */
async function load(
	{ bench, sink, seconds }: BenchContext,
	run: string,
	ratePerSecond: number,
	usualSeconds: number,
): Promise<number> {
	sink.begin(run);
	const sent = await runOpenLoop({
		...{ ...bench.target, run, ratePerSecond, connections: CONNECTIONS },
		seconds: seconds(usualSeconds),
	});
	await bench.untilDrained();
	return sent.length;
}

async function untilReported({ sink }: BenchContext, count: number) {
	const deadline = Date.now() + ARRIVAL_TIMEOUT_MS;
	for (; sink.reports.length < count; await delay(20))
		if (Date.now() > deadline)
			throw new Error(`of ${count} callbacks ${sink.reports.length} came.`);
	return sink.reports;
}
