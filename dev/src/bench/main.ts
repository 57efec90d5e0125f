import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Bench, openBench } from "./bench.ts";
import { type EmptyRates, measureEmptyRoute } from "./empty-route.ts";
import { type Figure, figureTable } from "./figures.ts";
import { addManyRoutes, type ManyRoutes } from "./many-routes.ts";
import { measureAccept, measureFull } from "./sections/accept.ts";
import { measureCampaign } from "./sections/campaign.ts";
import { type CostLoad, measureCosts } from "./sections/costs.ts";
import { measureLanes } from "./sections/lanes.ts";
import { measureLife } from "./sections/life.ts";
import { measureFlood, measureSteady } from "./sections/load.ts";
import { measureWebhooks } from "./sections/webhooks.ts";
import { runWrk } from "./wrk.ts";

const HELP = `Measures this machine: a system of its own on free ports with a real Kafka, load generators included.

  npm run bench [-- section ...] [--routes 50] [--prefixes 5000]
  npm run costs [-- --rates 100,500] [--seconds 30]

  life       whole life on Kafka, from the request to the signed callback, over a minute
  accept     most accepted while delivery is paused, at 256 and 64 connections
  flood      a flood at 256 connections: accept p99, and delivered meanwhile
  steady     accept p50 and p99 at 300/s, open loop, delivery going on
  webhooks   webhook deliveries per second, and from the outcome to the first attempt
  campaign   campaign fan-out: recipients staged and accepted per second
  lanes      one-time passwords: what a campaign and another's flood add to p95 from the 202 to the submit; bulk's share
  full       acceptance with 1,000,000 messages stored, to without

  costs      what a message takes of each process and store: CPU time, bytes; docs/scaling.md computes from it (Linux)

  --routes     so many routes to the simulated operator share the load (1 to 100)
  --prefixes   so many prefixes have rules that choose among them (1,000 to 100,000; 1,000 unless told)

Without a name all but costs are measured, which takes about six minutes. Rates are also
shown as ratios to an empty Fastify route in the same run.
The exit code is 1 when a section could not be measured; a figure that missed its floor is only shown.
`;

type Section = (
	bench: Bench,
	empty: EmptyRates,
	costs: CostLoad,
) => Promise<readonly Figure[]>;

/** In the order of a whole run, which leaves out the costs; of the others the full store comes last, for it stays. */
const sections: Readonly<Record<string, Section>> = {
	life: measureLife,
	accept: measureAccept,
	flood: measureFlood,
	steady: measureSteady,
	webhooks: measureWebhooks,
	campaign: measureCampaign,
	lanes: measureLanes,
	full: measureFull,
	costs: (bench, _empty, load) => measureCosts(bench, load),
};
/** Until then the processes still compile what they run often. */
const WARM_UP_S = 12;
const NONE: EmptyRates = { 64: 0, 256: 0 };

try {
	const { values, positionals } = parseArgs({
		options: {
			rates: { type: "string" },
			seconds: { type: "string" },
			routes: { type: "string" },
			prefixes: { type: "string" },
			help: { type: "boolean", short: "h" },
		},
		allowPositionals: true,
	});
	if (values.help) process.stdout.write(HELP);
	else
		await measure(
			chosenSections(positionals),
			costLoad(values, positionals),
			manyRoutes(values),
		);
} catch (error) {
	process.stderr.write(`\n  ${(error as Error).message}\n\n`);
	process.exitCode = 1;
}
process.exit();

function chosenSections(named: readonly string[]): readonly string[] {
	const unknown = named.find((name) => !(name in sections));
	if (unknown !== undefined)
		throw new Error(`"${unknown}" is no section; --help lists them.`);
	if (named.length > 0) return named;
	return Object.keys(sections).filter((name) => name !== "costs");
}

function costLoad(
	values: { readonly rates?: string; readonly seconds?: string },
	named: readonly string[],
): CostLoad {
	const isGiven = values.rates !== undefined || values.seconds !== undefined;
	if (isGiven && !named.includes("costs"))
		throw new Error("--rates and --seconds belong to the section costs.");
	const rates = (values.rates ?? "100,500").split(",").map(Number);
	const seconds = Number(values.seconds ?? "30");
	if (![...rates, seconds].every((number) => number >= 1))
		throw new Error("--rates and --seconds take numbers from 1.");
	return { rates, seconds };
}

function manyRoutes(values: {
	readonly routes?: string;
	readonly prefixes?: string;
}): ManyRoutes | undefined {
	const { routes: given, prefixes: among = "1000" } = values;
	if (given === undefined) {
		if (values.prefixes === undefined) return undefined;
		throw new Error("--prefixes belongs to --routes.");
	}
	const [routes, prefixes] = [Number(given), Number(among)];
	if (!isWithin(routes, 1, 100))
		throw new Error("--routes takes a number from 1 to 100.");
	if (!isWithin(prefixes, 1_000, 100_000))
		throw new Error("--prefixes takes a number from 1,000 to 100,000.");
	return { routes, prefixes };
}

function isWithin(value: number, least: number, most: number): boolean {
	return Number.isInteger(value) && value >= least && value <= most;
}

async function measure(
	names: readonly string[],
	costs: CostLoad,
	many: ManyRoutes | undefined,
): Promise<void> {
	const startedAt = Date.now();
	say(`${cpus().length} cores of ${cpus()[0]?.model}, Node ${process.version}`);
	// The costs are not a ratio and need no wrk.
	const usesWrk = names.some((name) => name !== "costs");
	const empty = usesWrk ? await measureEmptyRoute() : NONE;
	say("Starting and warming up a system of its own, with Kafka.");
	const bench = await openBench();
	process.once("SIGINT", () => {
		void bench.close().finally(() => process.exit(130));
	});
	if (many !== undefined) {
		say(`Adding ${many.routes - 1} routes and ${many.prefixes} prefixes.`);
		await addManyRoutes(bench, many);
	}
	if (usesWrk) await runWrk(bench.target, 256, WARM_UP_S);
	await bench.untilAtRest();
	const figures: Figure[] = [];
	for (const name of names)
		try {
			say(name);
			figures.push(...((await sections[name]?.(bench, empty, costs)) ?? []));
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
