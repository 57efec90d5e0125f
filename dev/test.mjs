import { ensureInstalled, handOver } from "./ensure-installed.mjs";

ensureInstalled();
handOver(["dev/src/run-tests.ts", ...process.argv.slice(2)]);
