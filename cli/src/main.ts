#!/usr/bin/env node
import { commands } from "./commands.ts";
import { runCli } from "./run-cli.ts";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.once(signal, () => interrupt.abort());
const outcome = await runCli(
	process.argv.slice(2),
	commands,
	process.env,
	interrupt.signal,
);
await write(process.stdout, outcome.stdout);
await write(process.stderr, outcome.stderr);
process.exit(outcome.exitCode);

/** Waits until the text is written, for an exit would cut it short, or until nobody reads the pipe any more. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
	return new Promise((resolve) => {
		stream.once("error", () => resolve());
		stream.write(text, () => resolve());
	});
}
