import { setTimeout as delay } from "node:timers/promises";
import { styleText } from "node:util";

export class StepFailed extends Error {
	override readonly name = "StepFailed";
}

const NAME_COLUMN = 22;
const POLL_MS = 25;
const TIMEOUT_MS = 30_000;

export async function step<T>(
	name: string,
	work: () => Promise<T>,
	describe: (value: T) => string,
): Promise<T> {
	const startedAt = Date.now();
	const value = await work().catch((error: unknown) => {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StepFailed(`${name}: ${reason}`);
	});
	const ms = styleText("dim", `${Date.now() - startedAt} ms`);
	const mark = styleText("green", "✓");
	console.log(`  ${mark} ${name.padEnd(NAME_COLUMN)}${describe(value)}  ${ms}`);
	return value;
}

/** A step that looks until there is something. @throws StepFailed with `otherwise` after 30 s */
export function stepUntil<T>(
	name: string,
	look: () => Promise<T | undefined> | T | undefined,
	otherwise: () => string,
	describe: (value: T) => string,
): Promise<T> {
	const wait = async () => {
		const deadline = Date.now() + TIMEOUT_MS;
		for (;;) {
			const value = await look();
			if (value !== undefined) return value;
			if (Date.now() > deadline)
				throw new StepFailed(`after ${TIMEOUT_MS / 1_000} s ${otherwise()}`);
			await delay(POLL_MS);
		}
	};
	return step(name, wait, describe);
}
