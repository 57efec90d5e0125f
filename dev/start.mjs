import { ensureInstalled, handOver } from "./ensure-installed.mjs";

ensureInstalled();
handOver([
	"--disable-warning=TimeoutNegativeWarning",
	"dev/src/start/main.ts",
	...process.argv.slice(2),
]);
