import { parseArgs } from "node:util";
import { DEFAULT_DATA_DIR, userPath } from "@airtower/cli/user-path";
import type { DemoSystem } from "./demo/demo-system.ts";
import { openRemoteSystem } from "./demo/remote-system.ts";
import { runDemo } from "./demo/run-demo.ts";
import { readDevFile } from "./start/dev-file.ts";

const SHOWN =
	"the life of one SMS with its signed callback, an answer and STOP, a campaign of three, WhatsApp both ways";

const HELP = `Shows on the running system: ${SHOWN}.

  npm run demo [-- options]

  --to <number>      recipient of the SMS (on the simulator +33612345678 by default)
  --base-url <url>   a system that runs elsewhere, on simulators; deploy/k8s/README.md names the settings it needs
  --data-dir <path>  folder that npm start was given (default ${DEFAULT_DATA_DIR})
  --help             this text
`;

try {
	const { values } = parseArgs({
		options: {
			to: { type: "string" },
			"base-url": { type: "string" },
			"data-dir": { type: "string", default: DEFAULT_DATA_DIR },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) process.stdout.write(HELP);
	else await runDemo(await openSystem(values), values.to);
	process.exit(0);
} catch (error) {
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n  The demo did not succeed. ${reason}\n\n`);
	process.exit(1);
}

function openSystem(options: {
	"base-url"?: string | undefined;
	"data-dir": string;
}): Promise<DemoSystem> {
	const baseUrl = options["base-url"];
	return baseUrl === undefined
		? readDevFile(userPath(options["data-dir"]))
		: openRemoteSystem(baseUrl, process.env);
}
