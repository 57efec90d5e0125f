import { styleText } from "node:util";

/** A step of the demo did not happen; the message says which and why. */
export class StepFailed extends Error {
	override readonly name = "StepFailed";
}

const NAME_COLUMN = 22;

/** Does one step and prints what was seen, with its time. */
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
