export interface OpenLoop {
	readonly ratePerSecond: number;
	readonly seconds: number;
}

const TICK_MS = 1;

/**
 * Begins sends at a steady rate, whether those before have ended or not: a slow server is not spared. Returns how long
 * each took, ms, from the moment it was due: waiting for a free connection counts. Once all have ended it rejects with
 * the first failure, if there was one.
 */
export async function runOpenLoop(
	{ ratePerSecond, seconds }: OpenLoop,
	send: (number: number) => Promise<unknown>,
): Promise<readonly number[]> {
	const total = Math.round(ratePerSecond * seconds);
	const latencies: number[] = [];
	const failures: unknown[] = [];
	let begun = 0;
	const startedAt = performance.now();
	const dueAt = (number: number) =>
		startedAt + (number / ratePerSecond) * 1_000;
	const begin = async (number: number) => {
		await send(number).catch((error: unknown) => failures.push(error));
		latencies.push(performance.now() - dueAt(number));
	};
	await new Promise<void>((resolve) => {
		const timer = setInterval(() => {
			while (begun < total && dueAt(begun) <= performance.now())
				void begin(begun++);
			if (latencies.length < total) return;
			clearInterval(timer);
			resolve();
		}, TICK_MS);
	});
	if (failures.length > 0) throw failures[0];
	return latencies;
}
