import type { Env } from "@airtower/platform/runtime/config";
import { readAccess } from "./access.ts";
import { createClients } from "./clients.ts";
import {
	type Call,
	type Command,
	CommandError,
	UsageError,
} from "./command.ts";
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

/** How long an interrupted command may take to say what it leaves behind, ms. */
const LAST_WORDS_MS = 200;

/** Reads the command line, carries the command out and words the result; throws nothing. */
export async function runCli(
	args: readonly string[],
	commands: readonly Command[],
	env: Env,
	interrupt: AbortSignal = new AbortController().signal,
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
		const output = await carryOut(line.command, line, env, interrupt);
		const failed = output.kind === "record" && output.failed === true;
		return {
			exitCode: failed ? 1 : 0,
			stdout: json ? renderJson(output) : renderText(output),
			stderr: json ? noteOf(output) : "",
		};
	} catch (error) {
		return failed(error, json);
	}
}

/** The document of a machine holds what was asked for alone. */
function noteOf({ note }: Output): string {
	return note === undefined ? "" : `${note}\n`;
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
	interrupt: AbortSignal,
): Promise<Output> {
	const clients = createClients(await readAccess(env, line.dataDir));
	const call: Call = {
		clients,
		text: (name) => line.values.get(name) ?? "",
		option: (name) => line.values.get(name),
		interrupt,
	};
	return Promise.race([command.run(call), interruption(interrupt)]);
}

/** Rejects after an interrupt, when the command has had the time to say more of it. */
function interruption(interrupt: AbortSignal): Promise<never> {
	const error = new CommandError(
		"Interrupted; what was asked for may have been done.",
		"interrupted",
	);
	return new Promise((_, reject) => {
		const end = () => setTimeout(reject, LAST_WORDS_MS, error);
		if (interrupt.aborted) end();
		else interrupt.addEventListener("abort", end);
	});
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
