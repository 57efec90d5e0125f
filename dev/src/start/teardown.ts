/** One thing to stop, within the time it is given. */
export interface Stoppable {
	readonly stage: Stage;
	stop(graceMs: number): Promise<void>;
}

/** The order of stopping: who asks goes before who answers. */
const STAGES = ["edge", "middle", "core", "outside", "storage"] as const;
export type Stage = (typeof STAGES)[number];

/** Longest wait for each stage, ms; together below the 10 s that a Ctrl-C may take. */
const GRACE_MS: Readonly<Record<Stage, number>> = {
	edge: 1_500,
	middle: 3_000,
	core: 1_000,
	outside: 500,
	storage: 2_500,
};

/** Stops everything, stage by stage; one failure hinders nothing else and is thrown at the end. */
export async function stopInStages(parts: readonly Stoppable[]): Promise<void> {
	const failures: unknown[] = [];
	for (const stage of STAGES) {
		const stops = parts
			.filter((part) => part.stage === stage)
			.map((part) => part.stop(GRACE_MS[stage]));
		for (const result of await Promise.allSettled(stops))
			if (result.status === "rejected") failures.push(result.reason);
	}
	if (failures.length > 0) throw failures[0];
}

/** Waits for a stop, but not longer than the grace: then the harder way. */
export async function stopOrForce(
	stop: Promise<void>,
	graceMs: number,
	force: () => void | Promise<void>,
): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<"late">((resolve) => {
		timer = setTimeout(() => resolve("late"), graceMs);
	});
	const first = await Promise.race([stop, late]).finally(() =>
		clearTimeout(timer),
	);
	if (first === "late") {
		stop.catch(() => {});
		await force();
	}
}
