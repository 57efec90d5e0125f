#!/usr/bin/env node
import { commands } from "./commands.ts";
import { runCli } from "./run-cli.ts";

const outcome = await runCli(process.argv.slice(2), commands, process.env);
await write(process.stdout, outcome.stdout);
await write(process.stderr, outcome.stderr);
process.exit(outcome.exitCode);

/** Waits until a pipe has taken the text, which an exit would cut. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
	return new Promise((resolve) => {
		stream.write(text, () => resolve());
	});
}
