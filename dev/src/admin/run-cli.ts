import type { Env } from "@airtower/platform/config";
import { readAccess } from "./access.ts";
import { createClients } from "./clients.ts";
import { type Call, type Command, UsageError } from "./command.ts";
import { describeFailure } from "./failure.ts";
import { helpOn, helpOnAll } from "./help.ts";
import type { Output } from "./output.ts";
import { type Line, parseLine } from "./parse-line.ts";
import { renderJson, renderText } from "./render.ts";

/** What a run of the CLI prints and how it ends. */
export interface Outcome {
	readonly exitCode: 0 | 1 | 2;
	readonly stdout: string;
	readonly stderr: string;
}

/** Reads the command line, carries the command out and words the result; throws nothing. */
export async function runCli(
	args: readonly string[],
	commands: readonly Command[],
	env: Env,
): Promise<Outcome> {
	const json = args.includes("--json");
	try {
		const line = parseLine(args, commands);
		if (line.help)
			return { exitCode: 0, stdout: helpOf(line, commands), stderr: "" };
		if (line.command === undefined)
			return {
				exitCode: 2,
				stdout: "",
				stderr: helpOnAll(commands, undefined),
			};
		const output = await carryOut(line.command, line, env);
		const failed = output.kind === "record" && output.failed === true;
		return {
			exitCode: failed ? 1 : 0,
			stdout: json ? renderJson(output) : renderText(output),
			stderr: "",
		};
	} catch (error) {
		return failed(error, json);
	}
}

function helpOf(line: Line, commands: readonly Command[]): string {
	return line.command === undefined
		? helpOnAll(commands, line.group)
		: helpOn(line.command);
}

async function carryOut(
	command: Command,
	line: Line,
	env: Env,
): Promise<Output> {
	const clients = createClients(await readAccess(env, line.dataDir));
	const call: Call = {
		clients,
		text: (name) => line.values.get(name) ?? "",
		option: (name) => line.values.get(name),
	};
	return command.run(call);
}

function failed(error: unknown, json: boolean): Outcome {
	const exitCode = error instanceof UsageError ? 2 : 1;
	const { reason, message } = describeFailure(error);
	const hint = exitCode === 2 ? " --help shows what there is." : "";
	const stderr = json
		? `${JSON.stringify({ error: { code: reason, message } })}\n`
		: `${message}${hint}\n`;
	return { exitCode, stdout: "", stderr };
}
