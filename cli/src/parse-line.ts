import { CommanderError, Command as Program } from "commander";
import type { Command } from "./command.ts";
import { UsageError } from "./errors.ts";
import { ENVIRONMENT, helpConfiguration } from "./help.ts";
import { usageErrorFrom } from "./usage-error.ts";

export interface Line {
	readonly command: Command;
	readonly values: ReadonlyMap<string, string>;
	readonly words: readonly string[];
	readonly dataDir: string | undefined;
}

/** Looks like an option; `-` alone and negative numbers are values. */
const DASHED = /^-(?!\d+$)./;

/** Returns the help when that was asked for. @throws UsageError about the first thing that is wrong */
export function parseLine(
	args: readonly string[],
	commands: readonly Command[],
): Line | string {
	let help = "";
	let line: Line | undefined;
	const program = createProgram((text) => {
		help += text;
	});
	for (const command of commands)
		addCommand(program, command, (leaf) => {
			const { dataDir } = program.opts<{ dataDir?: string }>();
			const values = valuesFrom(leaf, args);
			line = { command, values, words: wordsFrom(leaf), dataDir };
		});
	try {
		program.parse(args, { from: "user" });
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
	}
	return line ?? help;
}

function createProgram(writeOut: (help: string) => void): Program {
	const program = new Program("npm run admin --")
		.usage("<command> [options]")
		.description(
			"Administers Airtower; --help after a command shows its options.",
		)
		.option(
			"--json",
			"one JSON document instead of tables; with npx airtower-admin nothing else",
		)
		.option("--data-dir <path>", "folder of npm start (default .data)")
		.helpOption("-h, --help", "this text")
		.helpCommand(false)
		.addHelpText("afterAll", ENVIRONMENT)
		.configureHelp(helpConfiguration)
		.configureOutput({ writeOut, writeErr: () => undefined });
	return withSentences(program);
}

function addCommand(
	program: Program,
	{ line, summary, required = {}, options = {} }: Command,
	run: (leaf: Program) => void,
): void {
	const [groupName = "", ...rest] = line.split(" ");
	const group =
		program.commands.find((one) => one.name() === groupName) ??
		withSentences(program.command(groupName)).usage("<command> [options]");
	const [, ...words] = [...rest, ...Object.keys(required), "[options]"];
	const leaf = group
		.command(rest.join(" "))
		.description(`${summary}.`)
		.usage(words.join(" "));
	for (const [flags, about] of Object.entries(required))
		leaf.requiredOption(flags, `${about} (required)`);
	for (const [flags, about] of Object.entries(options))
		leaf.option(flags, about);
	withSentences(leaf).action(() => run(leaf));
}

function withSentences(command: Program): Program {
	return command.exitOverride((error) => {
		throw error.exitCode === 0 ? error : usageErrorFrom(error, command);
	});
}

function wordsFrom({ args, registeredArguments }: Program): string[] {
	const nth = registeredArguments.findIndex(({ variadic }) => variadic);
	return nth < 0 ? [] : args.slice(nth);
}

function valuesFrom(leaf: Program, args: readonly string[]): Line["values"] {
	const values = new Map(
		leaf.registeredArguments
			.filter(({ variadic }) => !variadic)
			.map((argument, nth) => [argument.name(), leaf.args[nth] ?? ""]),
	);
	for (const option of leaf.options) {
		const value: unknown = leaf.getOptionValue(option.attributeName());
		if (value === true) values.set(option.name(), "");
		if (typeof value !== "string") continue;
		if (DASHED.test(value) && args.includes(value))
			throw new UsageError(
				`A value that begins with a dash is written ${option.long}=VALUE.`,
			);
		values.set(option.name(), value);
	}
	return values;
}
