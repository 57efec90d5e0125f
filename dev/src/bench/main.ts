import { parseArgs } from "node:util";
import { StartError } from "../start/system.ts";
import { acceptSection } from "./accept-section.ts";
import { type BenchSystem, startBenchSystem } from "./bench-system.ts";
import { openCallbackSink } from "./callback-sink.ts";
import { type Figure, figureTable, meetsFloor } from "./figures.ts";
import { largeSection } from "./large-section.ts";
import { lifeSection } from "./life-section.ts";
import { machineLine } from "./machine.ts";
import type { Section } from "./section.ts";
import { watchSteadiness } from "./steadiness.ts";
import { webhooksSection } from "./webhooks-section.ts";
import { requireWrk } from "./wrk.ts";

const SECTIONS: Readonly<Record<string, Section>> = {
	accept: acceptSection,
	life: lifeSection,
	webhooks: webhooksSection,
	large: largeSection,
};

const HELP = `Measures this machine: a system of its own on free ports, load generator included.

  npm run bench [-- options] [${Object.keys(SECTIONS).join("] [")}]

  --seconds <number>  length of the sustained run (default 60)
  --no-floors         print only: a missed floor is no failure
  --help              this text
`;
const DEFAULT_SECONDS = "60";

try {
	const options = parseOptions();
	if (options === undefined) process.stdout.write(HELP);
	else process.exitCode = await measure(options);
} catch (error) {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n  ${reason}\n\n`);
	process.exitCode = 1;
}
process.exit();

function parseOptions() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			seconds: { type: "string", default: DEFAULT_SECONDS },
			"no-floors": { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) return undefined;
	const seconds = Number(values.seconds);
	if (!(seconds >= 1)) throw new StartError("--seconds takes a number from 1.");
	return {
		seconds,
		enforceFloors: !values["no-floors"],
		sections: positionals.length > 0 ? positionals : Object.keys(SECTIONS),
	};
}

async function measure(
	options: NonNullable<ReturnType<typeof parseOptions>>,
): Promise<0 | 1> {
	const sections = options.sections.map(sectionOf);
	await requireWrk();
	say(`${machineLine()}\n`);
	const figures: Figure[] = [];
	const steadiness = await watchSteadiness();
	steadiness.check();
	const bench = await startStoppable();
	try {
		const sink = await openCallbackSink(bench);
		for (const section of sections) {
			figures.push(
				...(await section({ bench, sink, seconds: options.seconds, say })),
			);
			steadiness.check();
		}
		await sink.close();
	} catch (error) {
		// Why it failed matters more than what then went wrong with the stop.
		await bench.stop().catch(() => {});
		throw error;
	}
	await bench.stop();
	say(`\n${figureTable(figures)}\n`);
	say(`${await steadiness.describe()}\n`);
	return options.enforceFloors && !figures.every(meetsFloor) ? 1 : 0;
}

function sectionOf(name: string): Section {
	const section = SECTIONS[name];
	if (section === undefined)
		throw new StartError(
			`"${name}" is no section; there are ${Object.keys(SECTIONS).join(", ")}.`,
		);
	return section;
}

/** A system that does not outlive a Ctrl-C. */
async function startStoppable(): Promise<BenchSystem> {
	say("Starting a system of its own, with Kafka.");
	const bench = await startBenchSystem();
	process.once("SIGINT", () => {
		void bench.stop().finally(() => process.exit(130));
	});
	return bench;
}

function say(text: string): void {
	process.stdout.write(`  ${text}\n`);
}
