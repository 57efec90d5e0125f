import type { Submit } from "@airtower/simulators/smsc/submit-log";
import type { Bench } from "./bench.ts";

interface LogPage {
	readonly total: number;
	readonly next: number;
	readonly entries: readonly Submit[];
}

/** Counts all submits that the simulated operator has seen. */
export async function countSubmits(bench: Bench): Promise<number> {
	return (await readPage(bench, Number.MAX_SAFE_INTEGER)).total;
}

/** The submits that the simulated operator has seen, in order, without the first so many. */
export async function readSubmits(
	bench: Bench,
	skipped: number,
): Promise<Submit[]> {
	const submits: Submit[] = [];
	for (let from = skipped; ; ) {
		const { entries, next, total } = await readPage(bench, from);
		submits.push(...entries);
		if (next >= total) return submits;
		from = next;
	}
}

async function readPage({ system }: Bench, from: number): Promise<LogPage> {
	const response = await fetch(`${system.smsc?.controlUrl}/log?from=${from}`);
	return (await response.json()) as LogPage;
}
