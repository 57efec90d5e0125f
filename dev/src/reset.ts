import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, userPath } from "@airtower/cli/user-path";
import { StartError } from "./start/system.ts";
import { findData, wipeData } from "./storage/wipe-data.ts";

const HELP = `Removes all data of a folder: database, keys, secrets, events and logs. The system must be stopped.

  npm run reset [-- options]

  --data-dir <path>  folder that npm start was given (default ${DEFAULT_DATA_DIR})
  --yes              do not ask
  --help             this text
`;

const FOREIGN_DATABASE =
	"A database of your own stays as it is, and cannot be used any more without the secrets.json of this folder.";

try {
	const { values } = parseArgs({
		options: {
			"data-dir": { type: "string", default: DEFAULT_DATA_DIR },
			yes: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) process.stdout.write(HELP);
	else await reset(userPath(values["data-dir"]), values.yes);
} catch (error) {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n  ${reason}\n\n`);
	process.exitCode = 1;
}

async function reset(dataDir: string, isAgreed: boolean): Promise<void> {
	const found = await findData(dataDir);
	if (found.length === 0)
		throw new StartError(`There is no data of Airtower in ${dataDir}.`);
	if (!isAgreed && !(await ask(dataDir, found)))
		return say("Nothing was removed.");
	await wipeData(dataDir);
	say("Removed. npm start begins anew.");
}

async function ask(dataDir: string, found: readonly string[]) {
	if (!process.stdin.isTTY)
		throw new StartError("Nobody can be asked here; --yes removes the data.");
	say(`In ${dataDir}: ${found.join(", ")}.`);
	if (!found.includes("postgres")) say(FOREIGN_DATABASE);
	const terminal = createInterface(process.stdin, process.stdout);
	const response = await terminal.question(
		"  Remove all of it for good? (yes/no) ",
	);
	terminal.close();
	return response.trim().toLowerCase() === "yes";
}

function say(text: string): void {
	process.stdout.write(`\n  ${text}\n`);
}
