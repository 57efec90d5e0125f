import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, shellWord } from "@airtower/cli/user-path";
import { LOG_DAYS } from "../processes/log-file.ts";
import { StartError } from "../start/system.ts";

export interface StartOptions {
	readonly help: boolean;
	readonly verbose: boolean;
	readonly port: number;
	readonly dataDir: string;
	readonly kafka: boolean;
	readonly replicas: number;
	readonly smpp: string | undefined;
	/** Simulated operators, each with a route of its own. */
	readonly routes: number;
	/** Days that logs are kept. */
	readonly logDays: number;
}

const DEFAULT_PORT = 8080;
const MOST_ROUTES = 3;

export const HELP = `Starts Airtower on this machine: database, services, SMSC simulator and a demo organization.

  npm start [-- options]

  --port <number>    port of the HTTP API (default ${DEFAULT_PORT})
  --data-dir <path>  folder for data, secrets and logs (default ${DEFAULT_DATA_DIR})
  --kafka            events through a real Apache Kafka (needs Java 17 and Maven)
  --replicas <number>  processes of each service, up to 4 (default 1), each at a
                     loopback address of its own (127.0.0.2 and so on; Linux)
  --routes <number>  simulated operators, each of another manner, with a route of its
                     own and rules that choose, up to ${MOST_ROUTES} (default 1)
  --smpp <url>       your own SMSC in place of the simulator:
                     smpp://systemId:password@host:port?window=10&ids=hex
                     (SMPP_ROUTE_URL does the same and hides the password)
  --verbose          show every log line, not only warnings and errors
  --help             this text

In the environment:
  DATABASE_URL, KAFKA_BROKERS   servers of your own
  LOG_LEVEL                     what goes into the logs: trace, debug, info, warn, error, fatal
  LOG_DAYS                      how long logs are kept (default ${LOG_DAYS}), up to 200 MB of each process;
                                of the lines about single requests the last 40 MB
  for messaging                 MESSAGE_VALIDITY_S, NO_RECEIPT_AFTER_S, UNKNOWN_WAIT_S,
                                UNKNOWN_POLICY, UNKNOWN_DEADLINE_S
  for campaigns                 CAMPAIGN_QUOTA_SHARE_PERCENT, MAX_CONTACTS, MAX_OPEN_CAMPAIGNS
  for webhooks and messaging    BLOCKED_NETWORKS, BLOCKED_PORTS, EGRESS_PROXY

npm run status shows again what was shown at the start.
npm run reset removes all data.
`;

const HIGHEST_PORT = 65_535;
const MOST_REPLICAS = 4;
const MOST_LOG_DAYS = 400;

/** The command line that asks for the same on another port. */
export function commandFor(args: readonly string[], port: number): string {
	const kept = args.filter(
		(word, at) => !/^--port(=|$)/.test(word) && args[at - 1] !== "--port",
	);
	const words = ["npm start --", ...kept.map(shellWord), `--port ${port}`];
	return words.join(" ");
}

/** @throws StartError with one sentence about the first thing that is wrong */
export function parseOptions(
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>> = {},
): StartOptions {
	const values = parseValues(args);
	const dataDir = values["data-dir"] ?? DEFAULT_DATA_DIR;
	const smpp = parseSmpp(values.smpp, env.SMPP_ROUTE_URL);
	if (dataDir.trim() === "")
		throw new StartError("--data-dir takes the path of a folder.");
	return {
		help: values.help ?? false,
		verbose: values.verbose ?? false,
		port: values.port === undefined ? DEFAULT_PORT : parsePort(values.port),
		dataDir,
		kafka: values.kafka ?? false,
		replicas: parseReplicas(values.replicas),
		smpp,
		routes: parseRoutes(values.routes, smpp),
		logDays: parseLogDays(env.LOG_DAYS || undefined),
	};
}

function parseValues(args: readonly string[]) {
	try {
		return parseArgs({
			args: [...args],
			options: {
				help: { type: "boolean", short: "h" },
				verbose: { type: "boolean" },
				port: { type: "string" },
				"data-dir": { type: "string" },
				kafka: { type: "boolean" },
				replicas: { type: "string" },
				smpp: { type: "string" },
				routes: { type: "string" },
			},
		}).values;
	} catch (error) {
		const [sentence] = (error as Error).message.split(/\. |\n/);
		throw new StartError(`${sentence}; npm start -- --help lists the options.`);
	}
}

function parsePort(text: string): number {
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > HIGHEST_PORT)
		throw new StartError(
			`--port takes a number from 1 to ${HIGHEST_PORT}, not "${text}".`,
		);
	return port;
}

function parseReplicas(text = "1"): number {
	const replicas = Number(text);
	if (!/^\d+$/.test(text) || replicas < 1 || replicas > MOST_REPLICAS)
		throw new StartError(
			`--replicas takes a number from 1 to ${MOST_REPLICAS}, not "${text}".`,
		);
	return replicas;
}

function parseRoutes(text: string | undefined, smpp: string | undefined) {
	const routes = Number(text ?? "1");
	if (text !== undefined && smpp !== undefined)
		throw new StartError(
			"--routes is for simulated operators: leave out --smpp and SMPP_ROUTE_URL, " +
				"or add routes with npm run admin -- routes add.",
		);
	if (!/^\d+$/.test(text ?? "1") || routes < 1 || routes > MOST_ROUTES)
		throw new StartError(
			`--routes takes a number from 1 to ${MOST_ROUTES}, not "${text}".`,
		);
	return routes;
}

function parseLogDays(text = String(LOG_DAYS)): number {
	const days = Number(text);
	if (!/^\d+$/.test(text) || days < 1 || days > MOST_LOG_DAYS)
		throw new StartError(
			`LOG_DAYS takes a number from 1 to ${MOST_LOG_DAYS}, not "${text}".`,
		);
	return days;
}

function parseSmpp(option?: string, variable?: string): string | undefined {
	const name = option === undefined ? "SMPP_ROUTE_URL" : "--smpp";
	const text = option ?? (variable || undefined);
	if (text === undefined) return undefined;
	const url = URL.parse(text);
	const isSmpp = url?.protocol === "smpp:" || url?.protocol === "smpps:";
	if (!isSmpp || url.hostname === "" || url.username === "")
		throw new StartError(
			`${name} takes an address like smpp://systemId:password@host:2775?window=10&ids=hex.`,
		);
	return text;
}
