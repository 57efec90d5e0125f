import { cpus } from "node:os";
import { runKubernetesChaos } from "../kubernetes/chaos.ts";
import { missingRelease, prepareRelease } from "../release/release-source.ts";
import { canRunKafka } from "../servers/kafka-jars.ts";
import { faults } from "./faults/index.ts";
import { type Options, parseOptions } from "./options.ts";
import { type Result, resultTable } from "./results.ts";
import { runChaos } from "./run-chaos.ts";
import { findTable, writeTable } from "./write-table.ts";

const startedAt = performance.now();
const options = parseOptions(process.argv.slice(2));
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.once(signal, () => {
		say("The run ends after this fault; Ctrl-C again ends it at once.");
		interrupt.abort(new Error("The run was interrupted."));
	});
try {
	process.exitCode = await run(options);
} catch (error) {
	process.stderr.write(`\n  ${(error as Error).stack}\n\n`);
	process.exitCode = 1;
}
process.exit();

async function run(options: Options): Promise<number> {
	if (options.kubernetes) {
		await runKubernetesChaos();
		return 0;
	}
	const isCi = process.env.CI === "true";
	if (process.platform !== "linux") {
		say("NOT TRIED: what processes hold is read from /proc, as Linux has it.");
		return isCi ? 1 : 0;
	}
	// Better now than after the run.
	if (options.table !== undefined) await findTable(options.table);
	const kafka = await canRunKafka();
	if (!kafka && isCi)
		throw new Error("Faults of Kafka need Java 17 and Maven.");
	say(`${cpus().length} cores, seeds ${options.seeds.join(", ")}`);
	if (!kafka) say("NOT TRIED for want of Java 17 and Maven: faults of Kafka.");
	for (const { number, name, isAlone } of faults)
		if (isAlone && !options.faults.includes(number))
			say(`NOT TRIED, for it compares times: ${number} ${name}; --long does.`);
	const results = await runChaos({
		options,
		kafka,
		release: await hasRelease(),
		signal: interrupt.signal,
		onResult: (result) => tell(result, options),
		onKept: (dataDir) => say(`Logs and data are kept in ${dataDir}.`),
	});
	const table = resultTable(results);
	say(`\n${table}`);
	if (options.table !== undefined) await writeTable(options.table, table);
	const broken = results.filter((result) => result.broken.length > 0);
	const seconds = Math.round((performance.now() - startedAt) / 1_000);
	say(
		`${results.length - broken.length} faults held all invariants, ${broken.length} did not, ${seconds} s.`,
	);
	return broken.length === 0 && results.length > 0 ? 0 : 1;
}

/** Makes the last release ready before anything is under load. */
async function hasRelease(): Promise<boolean> {
	const missing = await missingRelease();
	if (missing === undefined) await prepareRelease();
	else say(`NOT TRIED: the fault of two releases, for ${missing}`);
	return missing === undefined;
}

function tell(result: Result, { long }: Options): void {
	const { fault, name, seed, broken, seconds } = result;
	const isHeld = broken.length === 0;
	say(`${isHeld ? "✓" : "✗"} seed ${seed}, ${fault} ${name} (${seconds} s)`);
	for (const sentence of broken) say(`    ${sentence}`);
	if (isHeld) return;
	const form = long ? " --long" : "";
	say(`    npm run chaos -- --seeds ${seed} --faults ${fault}${form}`);
}

function say(text: string): void {
	process.stdout.write(`  ${text}\n`);
}
