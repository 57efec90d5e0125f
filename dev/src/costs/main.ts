import { parseArgs } from "node:util";
import { type Cost, costTable } from "./cost-table.ts";
import { type Measured, measureCosts } from "./measure-costs.ts";

const HELP = `Measures what a message takes, over its whole life: CPU time of each process, bytes written and kept.

  npm run costs [-- --rates 100,500] [--seconds 30]

A system of its own with Kafka and simulators gets messages at each rate, one after the other; docs/scaling.md
computes from such figures. Needs Linux, Java 17 and Maven.
`;

const { values } = parseArgs({
	options: {
		rates: { type: "string", default: "100,500" },
		seconds: { type: "string", default: "30" },
		help: { type: "boolean", short: "h" },
	},
});
try {
	if (values.help) process.stdout.write(HELP);
	else await measure(values.rates.split(",").map(Number));
} catch (error) {
	process.stderr.write(`\n  ${(error as Error).message}\n\n`);
	process.exitCode = 1;
}
process.exit();

async function measure(rates: readonly number[]): Promise<void> {
	const seconds = Number(values.seconds);
	if (![...rates, seconds].every((number) => number >= 1))
		throw new Error("--rates and --seconds take numbers from 1.");
	const measured = await measureCosts([0, ...rates], seconds);
	process.stdout.write(`\n${show(measured)}\n\n`);
}

function show(measured: readonly Measured[]): string {
	const rates = measured.map(({ rate }) => rate);
	const costsOf = (of: (at: Measured) => ReadonlyMap<string, number>): Cost[] =>
		[...(measured[0] ? of(measured[0]).keys() : [])].map((name) => ({
			name,
			values: measured.map((at) => of(at).get(name) ?? 0),
		}));
	const cores = costsOf((at) => at.cores);
	const bytes = costsOf((at) => at.bytes);
	return [
		costTable("cores", rates, cores, (value) => value.toFixed(3)),
		costTable("bytes a message", rates, bytes, (value) => value.toFixed(0)),
	].join("\n\n");
}
