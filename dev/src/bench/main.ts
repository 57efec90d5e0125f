import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Bench, openBench } from "./bench.ts";
import { type EmptyRates, measureEmptyRoute } from "./empty-route.ts";
import { type Figure, figureTable } from "./figures.ts";
import { measureAccept, measureFull } from "./sections/accept.ts";
import { measureCampaign } from "./sections/campaign.ts";
import { measureLife } from "./sections/life.ts";
import { measureFlood, measureSteady } from "./sections/load.ts";
import { measureWebhooks } from "./sections/webhooks.ts";
import { runWrk } from "./wrk.ts";

const HELP = `Measures this machine: a system of its own on free ports with a real Kafka, load generators included.

  npm run bench [-- section ...]

  life       whole life on Kafka, from the request to the signed callback, held for a minute
  accept     most accepted while delivery is paused, at 256 and 64 connections
  flood      a flood at 256 connections: accept p99, and delivered meanwhile
  steady     accept p50 and p99 at 300/s, open loop, delivery going on
  webhooks   webhook deliveries per second, and from the outcome to the first attempt
  campaign   campaign fan-out: recipients staged and accepted per second
  full       acceptance with 1,000,000 messages stored, to without

All sections take about five minutes. Rates are also shown as ratios to an empty Fastify route in the same run.
The exit code is 1 when a section could not be measured; a figure that missed its floor is only shown.
`;

type Section = (bench: Bench, empty: EmptyRates) => Promise<readonly Figure[]>;

/** In the order of a whole run: the full store comes last, for it stays. */
const sections: Readonly<Record<string, Section>> = {
	life: measureLife,
	accept: measureAccept,
	flood: measureFlood,
	steady: measureSteady,
	webhooks: measureWebhooks,
	campaign: measureCampaign,
	full: measureFull,
};
/** Until then the processes still compile what they run often. */
const WARM_UP_S = 12;

try {
	const options = { help: { type: "boolean", short: "h" } } as const;
	const { values, positionals } = parseArgs({
		options,
		allowPositionals: true,
	});
	const unknown = positionals.find((name) => !(name in sections));
	if (unknown !== undefined)
		throw new Error(`"${unknown}" is no section; --help lists them.`);
	if (values.help) process.stdout.write(HELP);
	else if (positionals.length > 0) await measure(positionals);
	else await measure(Object.keys(sections));
} catch (error) {
	process.stderr.write(`\n  ${(error as Error).message}\n\n`);
	process.exitCode = 1;
}
process.exit();

async function measure(names: readonly string[]): Promise<void> {
	const startedAt = Date.now();
	say(`${cpus().length} cores of ${cpus()[0]?.model}, Node ${process.version}`);
	const empty = await measureEmptyRoute();
	say("Starting and warming up a system of its own, with Kafka.");
	const bench = await openBench();
	process.once("SIGINT", () => {
		void bench.close().finally(() => process.exit(130));
	});
	await runWrk(bench.target, 256, WARM_UP_S);
	await bench.untilAtRest();
	const figures: Figure[] = [];
	for (const name of names)
		try {
			say(name);
			figures.push(...((await sections[name]?.(bench, empty)) ?? []));
			await bench.untilAtRest();
		} catch (error) {
			say(`Not measured: ${(error as Error).message}`);
			process.exitCode = 1;
		}
	await bench.close();
	say(`\n${figureTable(figures)}\n`);
	say(`It took ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
}

function say(text: string): void {
	process.stdout.write(`  ${text}\n`);
}
