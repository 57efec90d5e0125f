import { numbersFrom } from "@airtower/platform/testing/numbers-from";
import fc from "fast-check";
import { accept } from "./accept-step.ts";
import { hold, register, release, remove, renew } from "./admin-steps.ts";
import {
	age,
	applyCallbacks,
	closeWindows,
	erase,
	loseCallbacks,
	mistell,
	repeat,
	tellSome,
	write,
} from "./callback-steps.ts";
import {
	dispatchThrough,
	failOverdue,
	loseProcess,
	passTime,
	respond,
	stop,
	together,
	wake,
} from "./process-steps.ts";
import type { Process, World } from "./world.ts";

type Run = (world: World, process: Process) => Promise<unknown>;

const CLAIM = "with numbers as materialized";
const MARK = "set submitting = true";
const SETTLES = ["delete from dispatch as work", "update dispatch as work"];
/** Of one step. */
const [MESSAGES, TEXTS] = [6, 3];
const STEP_S = 3;

/** What may happen, each as often as its weight says. */
const STEPS: Readonly<Record<string, readonly [weight: number, run: Run]>> = {
	accept: [5, (...life) => repeatedly(MESSAGES, () => accept(...life))],
	dispatch: [6, (_, { ctx }) => ctx.dispatcher.round()],
	respond: [3, async (world) => respond(world)],
	tell: [4, tellSome],
	mistell: [1, mistell],
	write: [3, (world) => repeatedly(TEXTS, () => write(world))],
	repeat: [1, repeat],
	callbacks: [4, applyCallbacks],
	time: [3, (world) => passTime(world)],
	close: [2, closeWindows],
	overdue: [1, failOverdue],
	hold: [1, (world) => hold(world)],
	release: [2, (world) => release(world)],
	renew: [2, (world) => renew(world, world.pick(world.lines))],
	remove: [2, remove],
	register: [3, register],
	erase: [3, erase],
	age: [1, age],
	freeze: [2, (world, process) => loseProcess(world, process, "frozen")],
	die: [1, (world, process) => loseProcess(world, process, "gone")],
	stop: [1, stop],
	wake: [2, wake],
	loseClaim: [1, (world, process) => dispatchThrough(world, process, [CLAIM])],
	loseMark: [1, (world, process) => dispatchThrough(world, process, [MARK])],
	loseSettle: [1, (world, process) => dispatchThrough(world, process, SETTLES)],
	loseCallbacks: [1, loseCallbacks],
	together: [5, together],
};

export interface Step {
	readonly name: string;
	readonly seed: number;
}

export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		name: fc.oneof(
			...Object.entries(STEPS).map(([name, [weight]]) => ({
				weight,
				arbitrary: fc.constant(name),
			})),
		),
		seed: fc.nat(1_000_000),
	}),
	{ minLength: 10, maxLength: 50, size: "max" },
);

export async function runStep(
	world: World,
	{ name, seed }: Step,
): Promise<void> {
	world.random = numbersFrom(seed);
	world.now += STEP_S;
	const process = world.pick(world.running());
	if (process !== undefined) await STEPS[name]?.[1](world, process);
	await world.quiet();
}

async function repeatedly(
	times: number,
	run: () => Promise<unknown>,
): Promise<void> {
	for (let nth = 0; nth < times; nth++) await run();
}
