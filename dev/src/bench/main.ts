import { StartError } from "../start/system.ts";
import { type BenchContext, openContext } from "./bench-context.ts";
import { type Figure, figureTable } from "./figures.ts";
import { HELP, parseOptions } from "./options.ts";
import { sections } from "./sections/sections.ts";
import { machineLine, watchSteadiness } from "./steadiness.ts";

try {
	const options = parseOptions(process.argv.slice(2));
	if (options.help) process.stdout.write(HELP);
	else process.exitCode = await measure(options);
} catch (error) {
	process.stderr.write(`\n  ${messageFrom(error)}\n\n`);
	process.exitCode = 1;
}
process.exit();

/** Returns the exit code. */
async function measure(
	options: ReturnType<typeof parseOptions>,
): Promise<number> {
	const startedAt = Date.now();
	say(`${machineLine()}\n`);
	const steadiness = await watchSteadiness();
	steadiness.check();
	const context = await openContext({ ...options, say });
	process.once("SIGINT", () => {
		void context.close().finally(() => process.exit(130));
	});
	const figures: Figure[] = [];
	const failures: string[] = [];
	for (const name of options.sections) {
		try {
			figures.push(...(await measureSection(context, name)));
		} catch (error) {
			failures.push(`${name}: ${messageFrom(error)}`);
		}
		steadiness.check();
	}
	await context.close();
	say(`\n${figureTable(figures)}\n`);
	say(`${await steadiness.describe()}`);
	say(`It took ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
	for (const failure of failures) say(`Not measured: ${failure}`);
	return failures.length === 0 ? 0 : 1;
}

async function measureSection(
	context: BenchContext,
	name: string,
): Promise<readonly Figure[]> {
	const section = sections[name];
	if (section === undefined) throw new StartError("there is no such section.");
	say(`${name}: ${section.title}`);
	const figures = await section.measure(context);
	await context.bench.untilAtRest();
	return figures;
}

function say(text: string): void {
	process.stdout.write(`  ${text}\n`);
}

function messageFrom(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
