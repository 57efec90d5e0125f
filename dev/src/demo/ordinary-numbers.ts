/** From these last four digits on, no number has a behaviour of its own at the simulators. */
const FIRST = 1_000;
const LAST = 9_999;

/** Phone numbers in a row that hardly any earlier run has used, and that the simulators treat as any other. */
export function ordinaryNumbers(count: number): string[] {
	const prefix = String(randomBelow(1_000)).padStart(3, "0");
	const first = FIRST + randomBelow(LAST - FIRST - count + 2);
	return Array.from(
		{ length: count },
		(_, index) => `+3361${prefix}${first + index}`,
	);
}

function randomBelow(limit: number): number {
	return Math.floor(Math.random() * limit);
}
