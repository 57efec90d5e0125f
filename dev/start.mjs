import { ensureInstalled, handOver } from "./ensure-installed.mjs";

ensureInstalled();
handOver(["dev/src/start/main.ts", ...process.argv.slice(2)]);
