// Runs one of the repository's programs, on any Node that is at hand: node dev/run.mjs <program> [arguments].
import { ensureInstalled, handOver } from "./ensure-installed.mjs";

ensureInstalled();
handOver(process.argv.slice(2));
