import { setTimeout as delay } from "node:timers/promises";
import { generateLoad } from "./open-loop-process.ts";
import { percentile } from "./percentile.ts";
import type { BenchContext, Section } from "./section.ts";

const CONNECTIONS = 64;
const DELIVERIES = 20_000;
const FILL_RATE = 1_000;
const DELIVERIES_FLOOR = 1_500;
const DELIVERIES_AIM = 4_000;
/** Start and end of the delivery are left out: it is the rate of the stretch between that counts. */
const FROM = 0.1;
const TO = 0.9;
const STEADY_RATE = 200;
const STEADY_S = 30;
const FIRST_ATTEMPT_FLOOR_MS = 1_000;
const FIRST_ATTEMPT_AIM_MS = 250;
const ARRIVAL_TIMEOUT_MS = 120_000;

/** How fast waiting callbacks are delivered, and how soon each goes out when there is no hurry. */
export const webhooksSection: Section = async (context) => [
	await measureDeliveries(context),
	await measureFirstAttempt(context),
];

/** Outcomes gather in Kafka while the webhooks service is away; then it comes back. */
async function measureDeliveries(context: BenchContext) {
	const { bench, sink, say } = context;
	say(`Delivering ${DELIVERIES} callbacks that wait.`);
	const run = "deliver";
	sink.begin(run);
	await bench.system.kill("webhooks", "SIGTERM");
	await load(context, run, FILL_RATE, DELIVERIES / FILL_RATE);
	await bench.untilDrained();
	await bench.system.restart("webhooks");
	await untilSeen(context, DELIVERIES);
	const times = sink.receivedAtMs;
	const first = times[Math.floor(times.length * FROM)] ?? 0;
	const last = times[Math.floor(times.length * TO)] ?? 0;
	const count = times.length * (TO - FROM);
	return {
		name: "webhook deliveries",
		value: count / ((last - first) / 1_000),
		unit: "/s",
		better: "higher",
		floor: DELIVERIES_FLOOR,
		aim: DELIVERIES_AIM,
	} as const;
}

async function measureFirstAttempt(context: BenchContext) {
	const { bench, sink, say } = context;
	say(`From the outcome to the first attempt, at ${STEADY_RATE}/s.`);
	const run = "attempt";
	sink.begin(run);
	await load(context, run, STEADY_RATE, STEADY_S);
	await bench.untilAtRest();
	await untilSeen(context, STEADY_RATE * STEADY_S);
	return {
		name: `outcome to first attempt, p95 at ${STEADY_RATE}/s`,
		value: percentile(sink.attemptDelaysMs, 0.95),
		unit: "ms",
		better: "lower",
		floor: FIRST_ATTEMPT_FLOOR_MS,
		aim: FIRST_ATTEMPT_AIM_MS,
	} as const;
}

async function load(
	{ bench }: BenchContext,
	run: string,
	ratePerSecond: number,
	seconds: number,
): Promise<void> {
	const { sendUrl: url, apiKey } = bench;
	const load = { url, apiKey, ratePerSecond, seconds, run };
	const { accepted, sent, refused } = await generateLoad({
		...load,
		connections: CONNECTIONS,
	});
	if (accepted < sent)
		throw new Error(`Not all were accepted: ${JSON.stringify(refused)}`);
}

async function untilSeen({ sink }: BenchContext, count: number): Promise<void> {
	const deadline = Date.now() + ARRIVAL_TIMEOUT_MS;
	while (sink.seen() < count) {
		if (Date.now() > deadline)
			throw new Error(`Of ${count} callbacks ${sink.seen()} came.`);
		await delay(20);
	}
}
