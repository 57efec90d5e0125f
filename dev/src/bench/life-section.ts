import { setTimeout as delay } from "node:timers/promises";
import { generateLoad } from "./open-loop-worker.ts";
import type { BenchContext, Section } from "./section.ts";

const FLOOR = 1_000;
const AIM = 2_700;
const CONNECTIONS = 128;
/** Rates are tried upwards from here, per second. */
const FIRST_RATE = 800;
const STEP = 1.2;
const HIGHEST_RATE = 12_000;
const TRIAL_S = 12;
const SUSTAINED_TRIES = 3;
const STEP_DOWN = 0.9;
/** Output is input when at the end no more than this many seconds of input are under way. */
const UNDER_WAY_S = 2;
/** The simulator's receipts come 100 ms after the submit; the last callbacks may take this long. */
const TAIL_MS = 30_000;

interface Trial {
	readonly rate: number;
	readonly accepted: number;
	readonly sent: number;
	/** Callbacks seen at the moment the load ended, and once all had come. */
	readonly seenAtEnd: number;
	readonly seenInAll: number;
}

/** The highest rate at which as many signed callbacks arrive as messages are accepted, held for a minute. */
export const lifeSection: Section = async (context) => {
	const { say, seconds } = context;
	let rate = await findRate(context);
	for (let tries = 0; tries < SUSTAINED_TRIES; tries++) {
		say(`Whole lives at ${Math.round(rate)}/s for ${seconds} s.`);
		const trial = await attempt(context, rate, seconds);
		say(`  ${describe(trial)}`);
		if (keepsUp(trial)) return [figureOf(trial.seenAtEnd / seconds)];
		rate *= STEP_DOWN;
	}
	return [figureOf(0)];
};

async function findRate(context: BenchContext): Promise<number> {
	let found = FIRST_RATE / STEP;
	for (let rate = FIRST_RATE; rate <= HIGHEST_RATE; rate *= STEP) {
		context.say(`Whole lives, trying ${Math.round(rate)}/s.`);
		const trial = await attempt(context, rate, TRIAL_S);
		context.say(`  ${describe(trial)}`);
		if (!keepsUp(trial)) break;
		found = rate;
	}
	return found;
}

async function attempt(
	{ bench, sink }: BenchContext,
	rate: number,
	seconds: number,
): Promise<Trial> {
	const run = `life${Date.now().toString(36)}`;
	sink.begin(run);
	const { accepted, sent } = await generateLoad({
		url: bench.sendUrl,
		apiKey: bench.apiKey,
		ratePerSecond: rate,
		seconds,
		connections: CONNECTIONS,
		run,
	});
	const seenAtEnd = sink.seen();
	await bench.untilDrained();
	const deadline = Date.now() + TAIL_MS;
	while (sink.seen() < accepted && Date.now() < deadline) await delay(50);
	return { rate, accepted, sent, seenAtEnd, seenInAll: sink.seen() };
}

function keepsUp(trial: Trial): boolean {
	const underWay = trial.accepted - trial.seenAtEnd;
	return (
		trial.accepted === trial.sent &&
		trial.seenInAll === trial.accepted &&
		underWay <= trial.rate * UNDER_WAY_S
	);
}

function describe(trial: Trial): string {
	return `sent ${trial.sent}, accepted ${trial.accepted}, callbacks ${trial.seenAtEnd} at the end of the load, ${trial.seenInAll} in all`;
}

function figureOf(value: number) {
	return {
		name: "whole life on Kafka, callback received",
		value,
		unit: "/s",
		better: "higher",
		floor: FLOOR,
		aim: AIM,
	} as const;
}
