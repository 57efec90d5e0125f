import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, userPath } from "@airtower/cli/user-path";
import { welcomeText } from "./console/welcome.ts";
import { readDevFile } from "./start/dev-file.ts";
import { StartError } from "./start/system.ts";
import { findSupervisor } from "./storage/run-state.ts";

const HELP = `Shows the addresses and the key of the running system again.

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
	return welcomeText(dev, dataDir, headline);
}
