import { measureSms } from "../../load/sms.ts";
import { type Bench, untilNone } from "../bench.ts";
import { type Figure, percentile } from "../figures.ts";

const FILL = { run: "deliver", ratePerSecond: 1_500, seconds: 10 };
const STEADY = { run: "attempt", ratePerSecond: 200, seconds: 15 };
/** Start and end of the delivery are left out: the rate between them counts. */
const FROM = 0.1;
const TO = 0.9;
const DELIVERIES = { name: "webhook deliveries", floor: 1_500, aim: 4_000 };
const ATTEMPT_NAME = "outcome to first attempt, p95 at 200/s";
const FIRST_ATTEMPT = { name: ATTEMPT_NAME, floor: 1_000, aim: 250 };
const TIMEOUT_MS = 60_000;

export async function measureWebhooks(bench: Bench): Promise<Figure[]> {
	const perSecond = await measureDeliveries(bench);
	await load(bench, STEADY);
	await bench.untilAtRest();
	const delays = bench.sink.reports.map(({ delayMs }) => delayMs);
	return [
		{ ...DELIVERIES, value: perSecond, unit: "/s" },
		{ ...FIRST_ATTEMPT, value: percentile(delays, 0.95), unit: "ms" },
	];
}

/** Outcomes gather in Kafka while the process that delivers them is stopped; then it goes on. */
async function measureDeliveries(bench: Bench): Promise<number> {
	const { system, sink } = bench;
	const before = await bench.countDelivered();
	await system.kill("webhooks", "SIGSTOP");
	try {
		const count = await load(bench, FILL);
		await untilNone("messages are not delivered", TIMEOUT_MS, async () => {
			return before + count - (await bench.countDelivered());
		});
	} finally {
		await system.kill("webhooks", "SIGCONT");
	}
	await bench.untilAtRest();
	const times = sink.reports.map(({ receivedAt }) => receivedAt);
	const tookMs = percentile(times, TO) - percentile(times, FROM);
	return (times.length * (TO - FROM)) / (tookMs / 1_000);
}

/** Returns how many messages were accepted. */
async function load(
	{ sink, target }: Bench,
	options: typeof FILL,
): Promise<number> {
	sink.begin(options.run);
	const sent = await measureSms(target, { ...options, connections: 64 });
	return sent.length;
}
