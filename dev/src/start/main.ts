import { userPath } from "@airtower/cli/user-path";
import {
	commandFor,
	HELP,
	parseOptions,
	type StartOptions,
} from "../console/options.ts";
import { createReporter, type Reporter } from "../console/reporter.ts";
import {
	aborted,
	listenForStop,
	type StopRequests,
} from "../console/stop-signals.ts";
import { welcomeText } from "../console/welcome.ts";
import { ensureDemoData } from "./demo-data.ts";
import { writeDevFile } from "./dev-file.ts";
import { startSystem } from "./start-system.ts";
import { StartError, type System } from "./system.ts";
import { untilHealthy } from "./until-healthy.ts";

// A terminal that was closed, or a pipe whose reader has ended, is no reason to leave the processes to themselves.
for (const stream of [process.stdout, process.stderr])
	stream.on("error", () => {});

try {
	const options = parseOptions(process.argv.slice(2), process.env);
	if (options.help) process.stdout.write(HELP);
	else await run(options, listenForStop());
	process.exit(0);
} catch (error) {
	const text = error instanceof StartError ? error.message : String(error);
	process.stderr.write(`\n  ${text}\n\n`);
	process.exit(1);
}

async function run(
	options: StartOptions,
	requests: StopRequests,
): Promise<void> {
	const startedAt = Date.now();
	const reporter = createReporter(options.verbose);
	reporter.say("\n  Airtower is starting.\n");
	const system = await start(options, reporter, requests).catch(
		(error: unknown) => {
			if (!requests.stop.aborted) throw error;
		},
	);
	if (system === undefined)
		return reporter.say("  Stopped before it was ready.\n");
	try {
		await untilHealthy(system.baseUrl, requests.stop);
		const demo = await ensureDemoData(system);
		const dev = await writeDevFile(system, demo, options.smpp);
		const afterS = (Date.now() - startedAt) / 1_000;
		const headline = `Airtower is ready after ${afterS.toFixed(1)} s.`;
		reporter.say(welcomeText(dev, options.dataDir, headline));
		reporter.listen();
		await aborted(requests.stop);
	} finally {
		reporter.silence();
		reporter.say("\n  Stopping; Ctrl-C again stops at once.");
		await system.stop();
	}
	reporter.say("  Stopped. Your data is kept.\n");
}

function start(
	options: StartOptions,
	reporter: Reporter,
	requests: StopRequests,
): Promise<System> {
	const { DATABASE_URL, KAFKA_BROKERS } = process.env;
	return startSystem({
		dataDir: userPath(options.dataDir),
		httpPort: options.port,
		replicas: options.replicas,
		routes: options.routes,
		logDays: options.logDays,
		kafka: KAFKA_BROKERS
			? KAFKA_BROKERS.split(",").map((one) => one.trim())
			: options.kafka,
		...(options.smpp === undefined ? {} : { smpp: options.smpp }),
		...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}),
		wellKnownPorts: true,
		commandFor: (port) => commandFor(process.argv.slice(2), port),
		onEvent: reporter.onEvent,
		signal: requests.stop,
		killSignal: requests.kill,
	});
}
