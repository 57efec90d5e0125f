import { faults } from "./faults/index.ts";
import type { Options } from "./options.ts";
import type { Result } from "./results.ts";
import { runTrial } from "./run-trial.ts";
import { openChaosSystem } from "./target/chaos-system.ts";
import { readResources } from "./target/resources.ts";
import type { Fault } from "./trial.ts";

interface Work {
	readonly fault: Fault;
	readonly seed: number;
}

interface Running {
	readonly options: Options;
	/** Without one, the faults that need it are left out. */
	readonly kafka: boolean;
	/** Without the last release's source, the fault that needs it is left out. */
	readonly release: boolean;
	readonly signal: AbortSignal;
	readonly onResult: (result: Result) => void;
	/** Told where the data and logs of a system are that did not keep its promises. */
	readonly onKept: (dataDir: string) => void;
}

/**
 * Every fault with every seed; several systems share the work, and what compares times comes last, when one alone is up.
 */
export async function runChaos(running: Running): Promise<Result[]> {
	const { options, kafka, release } = running;
	const chosen = faults.filter(
		({ number, needsKafka, needsRelease }) =>
			options.faults.includes(number) &&
			(kafka || needsKafka !== true) &&
			(release || needsRelease !== true),
	);
	const work = options.seeds.flatMap((seed) =>
		chosen.map((fault) => ({ fault, seed })),
	);
	const shared = work.filter(({ fault }) => fault.isAlone !== true);
	const alone = work.filter(({ fault }) => fault.isAlone === true);
	const results: Result[] = [];
	const others = Promise.all(
		Array.from({ length: Math.min(options.systems, shared.length) - 1 }, () =>
			actOut(running, take(shared), results),
		),
	);
	async function* ofTheFirst() {
		yield* take(shared);
		await others;
		yield* take(alone);
	}
	await Promise.all([others, actOut(running, ofTheFirst(), results)]);
	return results;
}

function* take(work: Work[]): Generator<Work> {
	for (let next = work.shift(); next !== undefined; next = work.shift())
		yield next;
}

/** One system acts out what it is given, one after another. */
async function actOut(
	{ options, kafka, signal, onResult, onKept }: Running,
	work: Iterable<Work> | AsyncIterable<Work>,
	results: Result[],
): Promise<void> {
	const target = await openChaosSystem(kafka, signal);
	let [keep, isBroken] = [true, false];
	try {
		const baseline = await readResources(target);
		for await (const next of work) {
			signal.throwIfAborted();
			const trial = { ...next, isLong: options.long, baseline };
			const result = await runTrial(target, trial);
			results.push(result);
			onResult(result);
			isBroken ||= result.broken.length > 0;
		}
		keep = isBroken;
	} finally {
		const kept = await target.close(keep);
		if (kept !== undefined) onKept(kept);
	}
}
