import type { Env } from "@airtower/platform/runtime/config";
import { type Access, findAdminKey, readAccess } from "./access.ts";
import { createClients } from "./clients.ts";
import type { Command } from "./command.ts";
import { CommandError, UsageError } from "./errors.ts";
import { describeFailure } from "./failure.ts";
import type { Output } from "./output.ts";
import { type Line, parseLine } from "./parse-line.ts";
import { describeRefusal } from "./refused-value.ts";
import { renderJson, renderText } from "./render.ts";

export interface Outcome {
	readonly exitCode: 0 | 1 | 2;
	readonly stdout: string;
	readonly stderr: string;
}

/** How long an interrupted command may take to say what it leaves behind, ms. */
const LAST_WORDS_MS = 200;

/** For commands that call no service. */
const NONE: Access = { signer: { tokenFor: refuse }, urlOf: refuse };

function refuse(): never {
	throw new Error("the command is local");
}

/** Reads the command line, carries the command out and returns what is to be printed; throws nothing. */
export async function runCli(
	args: readonly string[],
	commands: readonly Command[],
	env: Env,
	interrupt: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
	const json = args.includes("--json");
	try {
		const bare = args.length === 0;
		const line = parseLine(bare ? ["--help"] : args, commands);
		if (typeof line === "string")
			return bare
				? { exitCode: 2, stdout: "", stderr: line }
				: { exitCode: 0, stdout: line, stderr: "" };
		return show(await carryOut(line, env, interrupt), json);
	} catch (error) {
		return fail(error, json);
	}
}

/** With `--json` the output is nothing but the document: a note goes to stderr. */
function show(output: Output, json: boolean): Outcome {
	return {
		exitCode: output.failed === true ? 1 : 0,
		stdout: json ? renderJson(output) : renderText(output),
		stderr: json && output.note !== undefined ? `${output.note}\n` : "",
	};
}

function fail(error: unknown, json: boolean): Outcome {
	const exitCode = error instanceof UsageError ? 2 : 1;
	const { reason, message } = describeFailure(error);
	const hint = exitCode === 2 ? " --help shows what there is." : "";
	const stderr = json
		? JSON.stringify({ error: { code: reason, message } })
		: `${message}${hint}`;
	return { exitCode, stdout: "", stderr: `${stderr}\n` };
}

async function carryOut(
	line: Line,
	env: Env,
	interrupt: AbortSignal,
): Promise<Output> {
	const { command, values, words, dataDir } = line;
	const access = command.isLocal ? NONE : await readAccess(env, dataDir);
	const run = command.run({
		clients: createClients(access),
		adminKey: (file) => findAdminKey(env, dataDir, file),
		text: (name) => values.get(name) ?? "",
		option: (name) => values.get(name),
		words,
		interrupt,
	});
	return Promise.race([run, interruption(interrupt)]).catch((error) => {
		throw describeRefusal(line, error);
	});
}

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
