import { parseArgs } from "node:util";
import { StartError } from "../start/system.ts";
import { sections } from "./sections/sections.ts";

export interface BenchOptions {
	readonly help: boolean;
	readonly sections: readonly string[];
	/** Length of every load, s; each has its own when absent. */
	readonly seconds: number | undefined;
	/** Messages that the full store holds. */
	readonly rows: number;
}

const DEFAULT_ROWS = 1_000_000;

export const HELP = `Measures this machine: a system of its own on free ports with a real Kafka, load generators included.

  npm run bench [-- options] [section ...]

${Object.entries(sections)
	.map(([name, { title }]) => `  ${name.padEnd(10)} ${title}`)
	.join("\n")}

  --seconds <number>  length of every load, to try a section quickly
  --rows <number>     messages that the full store holds (default ${DEFAULT_ROWS})
  --help              this text

All sections take about seven minutes. Rates are also shown as ratios to an empty Fastify route in the same run.
The exit code is 0 when every section was measured, also when a figure missed its floor, which is shown;
it is 1 when a section could not be measured.
`;

/** Reads the command line. Throws StartError with one sentence about what is wrong. */
export function parseOptions(args: readonly string[]): BenchOptions {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			seconds: { type: "string" },
			rows: { type: "string", default: String(DEFAULT_ROWS) },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	const known = Object.keys(sections);
	const unknown = positionals.find((name) => !known.includes(name));
	if (unknown !== undefined)
		throw new StartError(
			`"${unknown}" is no section; there are ${known.join(", ")}.`,
		);
	return {
		help: values.help,
		sections: positionals.length > 0 ? positionals : known,
		seconds:
			values.seconds === undefined
				? undefined
				: parseCount("seconds", values.seconds),
		rows: parseCount("rows", values.rows),
	};
}

function parseCount(name: string, text: string): number {
	const count = Number(text);
	if (Number.isInteger(count) && count >= 1) return count;
	throw new StartError(`--${name} takes a whole number from 1.`);
}
