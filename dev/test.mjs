import { ensureInstalled, handOver } from "./ensure-installed.mjs";

ensureInstalled();
handOver(["dev/test/run-tests.ts", ...process.argv.slice(2)]);
