import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, userPath } from "@airtower/cli/user-path";
import { runDemo } from "./demo/run-demo.ts";
import { readDevFile } from "./start/dev-file.ts";

const SHOWN =
	"the life of one SMS with its signed callback, a campaign of three, WhatsApp both ways";

const HELP = `Shows on the running system: ${SHOWN}.

  npm run demo [-- options]

  --to <number>      recipient of the SMS (on the simulator +33612345678 by default)
  --data-dir <path>  folder that npm start was given (default ${DEFAULT_DATA_DIR})
  --help             this text
`;

try {
	const { values } = parseArgs({
		options: {
			to: { type: "string" },
			"data-dir": { type: "string", default: DEFAULT_DATA_DIR },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) process.stdout.write(HELP);
	else
		await runDemo(await readDevFile(userPath(values["data-dir"])), values.to);
	process.exit(0);
} catch (error) {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n  The demo did not succeed. ${reason}\n\n`);
	process.exit(1);
}
