import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, userPath } from "@airtower/cli/user-path";
import { healthText, type ShownHealth } from "./console/health-text.ts";
import { welcomeText } from "./console/welcome.ts";
import { createAdminClients } from "./start/admin-clients.ts";
import { type DevFile, readDevFile } from "./start/dev-file.ts";
import { StartError } from "./start/system.ts";
import { findSupervisor } from "./storage/run-state.ts";

const RESPONSE_TIMEOUT_MS = 5_000;

const HELP = `Shows the addresses and the key of the running system again, what is late, and which
operator's route is down.

  npm run status [-- options]

  --data-dir <path>  folder that npm start was given (default ${DEFAULT_DATA_DIR})
  --help             this text

The exit code is 1 when nothing runs there.
`;

try {
	const { values } = parseArgs({
		options: {
			"data-dir": { type: "string", default: DEFAULT_DATA_DIR },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) process.stdout.write(HELP);
	else process.stdout.write(await statusOf(values["data-dir"]));
} catch (error) {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n  ${reason}\n\n`);
	process.exitCode = 1;
}
// The clients would keep their connections.
process.exit();

async function statusOf(dataDir: string): Promise<string> {
	const path = userPath(dataDir);
	const pid = await findSupervisor(path);
	if (pid === undefined)
		throw new StartError(
			`Airtower does not run on ${path}; npm start starts it.`,
		);
	const dev = await readDevFile(path);
	if (dev.pid !== pid)
		throw new StartError(`Airtower is still starting (process ${pid}).`);
	const headline = `Airtower runs since ${dev.readyAt} (process ${pid}).`;
	const text = welcomeText(dev, dataDir, headline);
	return `${text}\n${await readHealthText(dev)}\n`;
}

async function readHealthText(dev: DevFile): Promise<string> {
	const { messagingAdmin } = createAdminClients(dev);
	const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
	const [health, routes] = await Promise.all([
		fetch(`${dev.baseUrl}/health`, { signal })
			.then(async (response) => (await response.json()) as ShownHealth)
			.catch(() => undefined),
		messagingAdmin
			.listRoutes({}, { timeoutMs: RESPONSE_TIMEOUT_MS })
			.then((response) => response.routes)
			.catch(() => undefined),
	]);
	return healthText(health, routes);
}
