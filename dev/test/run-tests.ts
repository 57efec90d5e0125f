import { parseCLI, startVitest } from "vitest/node";
import { makeMemoryFolder } from "./memory-folder.ts";
import { closingLine, countTests } from "./test-totals.ts";

/** Longest wait for what the tests left behind, ms. */
const CLOSE_TIMEOUT_MS = 15_000;

/** Where `tmpdir()` makes the folders of tests, in whatever process. */
const memoryFolder = await makeMemoryFolder();
if (memoryFolder !== undefined) process.env.TMPDIR = memoryFolder;

const args = process.argv.slice(2);
const { filter, options } = parseCLI([
	"vitest",
	"run",
	...args.filter((arg) => arg !== "--all"),
]);
/** What runs when neither files nor projects are named. */
const projects = args.includes("--all")
	? ["tests", "drills", "floods"]
	: ["tests"];
const vitest = await startVitest("test", filter, {
	reporters: ["default"],
	...(filter.length === 0 && { project: projects }),
	...options,
	watch: false,
});
const totals = countTests(
	vitest.state.getTestModules(),
	vitest.state.getUnhandledErrors().length,
);
const closed = vitest.close();
const late = new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS));
await Promise.race([closed, late]);
const noTests = totals.passed + totals.failed + totals.skipped === 0;
process.stdout.write(`\n${closingLine(totals)}\n`);
process.exit(totals.failed > 0 || noTests ? 1 : Number(process.exitCode ?? 0));
