import { readFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";

/** The machine in one line: figures of different machines are not to be compared. */
export function machineLine(): string {
	const all = cpus();
	const model = all[0]?.model.trim() ?? "an unknown CPU";
	const memoryGb = Math.round(totalmem() / 2 ** 30);
	return `${all.length} cores of ${model}, ${memoryGb} GB, Node ${process.version}`;
}

/** How steady the machine was while it was measured: a virtual one shares its cores with strangers. */
export interface Steadiness {
	/** Times the fixed calculation; call it while nothing else runs. */
	check(): void;
	/** What was seen since the beginning, in one sentence. */
	describe(): Promise<string>;
}

/** Rounds of the calculation: some tens of ms. */
const ROUNDS = 40_000_000;
/** The quickest of so many counts: a pause of one of them says nothing. */
const TRIES = 3;

/** Begins to watch the machine. */
export async function watchSteadiness(): Promise<Steadiness> {
	const before = await readCpuTicks();
	const tookMs: number[] = [];
	return {
		check: () => {
			const tries = Array.from({ length: TRIES }, timeCalculation);
			tookMs.push(Math.min(...tries));
		},
		describe: async () => {
			const after = await readCpuTicks();
			const stolen = before && after && stolenShare(before, after);
			const quickest = Math.round(Math.min(...tookMs));
			const slowest = Math.round(Math.max(...tookMs));
			const calculation = `Between the sections a fixed calculation took ${quickest} to ${slowest} ms`;
			return stolen === undefined
				? `${calculation}.`
				: `${calculation}; the host gave ${Math.round(stolen * 100)} % of the CPU time to others.`;
		},
	};
}

/** Each calculation goes on from the last one's value, so that none is left out as useless. */
let lastValue = 1;

function timeCalculation(): number {
	const startedAt = performance.now();
	let value = lastValue;
	for (let round = 0; round < ROUNDS; round++)
		value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
	lastValue = value;
	return performance.now() - startedAt;
}

/** The line of all CPUs in /proc/stat, in ticks (proc(5)); undefined on systems without it. */
async function readCpuTicks(): Promise<readonly number[] | undefined> {
	try {
		const [line = ""] = (await readFile("/proc/stat", "utf8")).split("\n", 1);
		return line.split(/ +/).slice(1).map(Number);
	} catch {
		return undefined;
	}
}

/** Places of user, nice, system, idle, iowait, irq, softirq and steal; what follows is part of user and nice. */
const ALL_TIME = 8;
const STEAL = 7;

/** Share of "steal" in all the time between two readings, in [0, 1]. */
export function stolenShare(
	before: readonly number[],
	after: readonly number[],
): number {
	const passed = after
		.slice(0, ALL_TIME)
		.map((ticks, place) => ticks - (before[place] ?? 0));
	const all = passed.reduce((sum, ticks) => sum + ticks, 0);
	return all === 0 ? 0 : (passed[STEAL] ?? 0) / all;
}
