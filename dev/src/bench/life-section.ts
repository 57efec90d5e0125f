import { generateLoad } from "./open-loop-process.ts";
import { outputPerSecond } from "./output-rate.ts";
import type { BenchContext, Section } from "./section.ts";
import { warmUp } from "./warm-up.ts";

const FLOOR = 1_000;
const AIM = 2_700;
const CONNECTIONS = 128;
/** Rates are tried upwards from here, per second. */
const FIRST_RATE = 800;
const STEP = 1.12;
const HIGHEST_RATE = 12_000;
const TRIAL_S = 12;
/** A rate that was missed gets another trial: a neighbour on the machine may have taken its time. */
const TRIALS = 2;
const SUSTAINED_TRIES = 6;
const STEP_DOWN = 0.9;
/** Output is input when at the end no more than this many seconds of input are under way. */
const UNDER_WAY_S = 2;
/** And acceptance keeps the rate when its last answer comes no later than this, s. */
const LATE_S = 1;

interface Trial {
	readonly rate: number;
	/** How long the load was meant to take, and how long it took until the last answer, s. */
	readonly seconds: number;
	readonly elapsedS: number;
	readonly accepted: number;
	readonly sent: number;
	/** Callbacks per second while the load lasted, see {@link outputPerSecond}. */
	readonly outputPerSecond: number;
	/** Callbacks seen at the moment the load ended, and once all had come. */
	readonly seenAtEnd: number;
	readonly seenInAll: number;
}

/** The highest rate at which as many signed callbacks arrive as messages are accepted, held for a minute. */
export const lifeSection: Section = async (context) => {
	const { say, seconds } = context;
	await warmUp(context);
	let rate = await findRate(context);
	for (let tries = 0; tries < SUSTAINED_TRIES; tries++) {
		say(`Whole lives at ${Math.round(rate)}/s for ${seconds} s.`);
		const trial = await attempt(context, rate, seconds);
		say(`  ${describe(trial)}`);
		if (keepsUp(trial)) return [figureOf(trial.outputPerSecond)];
		rate = Math.min(rate * STEP_DOWN, trial.outputPerSecond);
	}
	return [figureOf(0)];
};

async function findRate(context: BenchContext): Promise<number> {
	let found = FIRST_RATE / STEP;
	for (let rate = FIRST_RATE; rate <= HIGHEST_RATE; rate *= STEP) {
		if (!(await isKeptUp(context, rate))) break;
		found = rate;
	}
	return found;
}

async function isKeptUp(context: BenchContext, rate: number): Promise<boolean> {
	for (let trials = 0; trials < TRIALS; trials++) {
		context.say(`Whole lives, trying ${Math.round(rate)}/s.`);
		const trial = await attempt(context, rate, TRIAL_S);
		context.say(`  ${describe(trial)}`);
		if (keepsUp(trial)) return true;
	}
	return false;
}

async function attempt(
	{ bench, sink }: BenchContext,
	rate: number,
	seconds: number,
): Promise<Trial> {
	const run = `life${Date.now().toString(36)}`;
	sink.begin(run);
	const startedAtMs = Date.now();
	const { accepted, sent, elapsedS } = await generateLoad({
		url: bench.sendUrl,
		apiKey: bench.apiKey,
		ratePerSecond: rate,
		seconds,
		connections: CONNECTIONS,
		run,
	});
	const endedAtMs = Date.now();
	const seenAtEnd = sink.seen();
	const load = { rate, startedAtMs, endedAtMs };
	const output = outputPerSecond(sink.receivedAtMs, load);
	await bench.untilAtRest();
	return {
		...{ rate, seconds, elapsedS, accepted, sent, seenAtEnd },
		outputPerSecond: output,
		seenInAll: sink.seen(),
	};
}

function keepsUp(trial: Trial): boolean {
	const underWay = trial.accepted - trial.seenAtEnd;
	return (
		trial.accepted === trial.sent &&
		trial.seenInAll === trial.accepted &&
		trial.elapsedS <= trial.seconds + LATE_S &&
		underWay <= trial.rate * UNDER_WAY_S
	);
}

function describe(trial: Trial): string {
	return `accepted ${trial.accepted} of ${trial.sent} in ${trial.elapsedS.toFixed(1)} s, callbacks ${trial.seenAtEnd} at the end of the load (${trial.outputPerSecond.toFixed(0)}/s), ${trial.seenInAll} in all`;
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
