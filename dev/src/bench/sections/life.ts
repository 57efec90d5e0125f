import { setTimeout as delay } from "node:timers/promises";
import type { BenchContext, Section } from "../bench-context.ts";
import { rateFigures } from "../figures.ts";
import { createSmsClient } from "../sms-client.ts";

const SECONDS = 60;
/** Before the minute, s: the first callbacks are still under way. */
const RUN_IN_S = 8;
const CONNECTIONS = 128;
/** Lives under way at a time: a new message is sent when one ends, so that output is input. */
const UNDER_WAY = 3_000;
const ACCEPTED = 202;

export const lifeSection: Section = {
	title:
		"whole life on Kafka, from the request to the signed callback, held for a minute",
	measure: async (context) => {
		const perSecond = await measureLives(context);
		return rateFigures(
			"whole life, callback received",
			perSecond,
			context.emptyRate(256),
			{
				...{ floor: 0.05, aim: 0.075 },
			},
		);
	},
};

/** Lives that ended per second. Throws when a message is refused, or lost: every one must be reported in the end. */
async function measureLives({
	bench,
	sink,
	say,
	seconds,
}: BenchContext): Promise<number> {
	const run = `life${Date.now().toString(36)}`;
	const client = createSmsClient(bench.target, CONNECTIONS, run);
	const counts = { sent: 0, accepted: 0, refused: 0 };
	let isOpen = true as boolean;
	let inFlight = 0;
	const fill = () => {
		while (
			isOpen &&
			inFlight < CONNECTIONS &&
			counts.sent - sink.reports.length < UNDER_WAY
		) {
			inFlight++;
			client.send(counts.sent++, (status) => {
				inFlight--;
				counts[status === ACCEPTED ? "accepted" : "refused"]++;
				fill();
			});
		}
	};
	sink.begin(run, fill);
	fill();
	await delay(RUN_IN_S * 1_000);
	const [acceptedBefore, reportedBefore, startedAt] = [
		counts.accepted,
		sink.reports.length,
		performance.now(),
	];
	await delay(seconds(SECONDS) * 1_000);
	const elapsedS = (performance.now() - startedAt) / 1_000;
	const accepted = (counts.accepted - acceptedBefore) / elapsedS;
	const reported = (sink.reports.length - reportedBefore) / elapsedS;
	isOpen = false;
	await bench.untilAtRest();
	await client.close();
	say(
		`  accepted ${accepted.toFixed(0)}/s, callbacks ${reported.toFixed(0)}/s for ${elapsedS.toFixed(0)} s`,
	);
	if (counts.refused > 0)
		throw new Error(`${counts.refused} messages were not accepted.`);
	if (sink.reports.length !== counts.accepted)
		throw new Error(
			`of ${counts.accepted} accepted messages ${sink.reports.length} were reported.`,
		);
	return Math.min(accepted, reported);
}
