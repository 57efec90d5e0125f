import { setTimeout as delay } from "node:timers/promises";
import { openLoadClient } from "../../load/client.ts";
import { smsRequest } from "../../load/sms.ts";
import type { Bench } from "../bench.ts";
import type { EmptyRates } from "../empty-route.ts";
import { type Figure, rateFigures } from "../figures.ts";

const NAME = "whole life, callback received";
const SECONDS = 60;
/** Before the minute, s: the first callbacks are still under way. */
const RUN_IN_S = 8;
const CONNECTIONS = 128;
/** Lives under way at a time: a new message is sent when one ends, so that output is input. */
const UNDER_WAY = 3_000;

/** Throws when a message is refused, or lost: every one must be reported in the end. */
export async function measureLife(
	bench: Bench,
	empty: EmptyRates,
): Promise<Figure[]> {
	const { counts, stop } = sendSteadily(bench);
	const { reports } = bench.sink;
	await delay(RUN_IN_S * 1_000);
	const [acceptedBefore, reportedBefore] = [counts.accepted, reports.length];
	const startedAt = performance.now();
	await delay(SECONDS * 1_000);
	const elapsedS = (performance.now() - startedAt) / 1_000;
	const accepted = counts.accepted - acceptedBefore;
	const reported = reports.length - reportedBefore;
	await stop();
	const { sent } = counts;
	if (counts.accepted !== sent || reports.length !== sent)
		throw new Error(
			`of ${sent} messages ${counts.accepted} were accepted and ${reports.length} reported.`,
		);
	const perSecond = Math.min(accepted, reported) / elapsedS;
	return rateFigures(NAME, perSecond, empty[256], { floor: 0.05, aim: 0.075 });
}

/** Keeps lives under way until it is stopped, which resolves when all have ended. */
function sendSteadily({ target, sink, untilAtRest }: Bench) {
	const run = `life${Date.now().toString(36)}`;
	const client = openLoadClient(CONNECTIONS);
	const counts = { sent: 0, accepted: 0 };
	let isOpen = true;
	let inFlight = 0;
	const mayAdd = () => counts.sent - sink.reports.length < UNDER_WAY;
	const send = async (number: number) => {
		const response = client.post(target, smsRequest(run, number));
		const { status } = await response.catch(() => ({ status: 0 }));
		inFlight--;
		if (status === 202) counts.accepted++;
		fill();
	};
	const fill = () => {
		while (isOpen && inFlight < CONNECTIONS && mayAdd()) {
			inFlight++;
			void send(counts.sent++);
		}
	};
	sink.begin(run, fill);
	fill();
	const stop = async () => {
		isOpen = false;
		await untilAtRest();
		await client.close();
	};
	return { counts, stop };
}
