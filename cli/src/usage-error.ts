import type { Command, CommanderError } from "commander";
import { UsageError } from "./errors.ts";
import { pathOf } from "./help.ts";

export function usageErrorFrom(
	{ code, message }: CommanderError,
	command: Command,
): UsageError {
	const quoted = /'(.*)'/.exec(message)?.[1] ?? "";
	const path = pathOf(command);
	const sentences: Readonly<Record<string, () => string>> = {
		"commander.help": () =>
			`${path === "" ? "The line" : `"${path}"`} needs one of: ${namesIn(command)}.`,
		"commander.unknownCommand": () =>
			`There is no command "${fullName(path, quoted)}"; ` +
			(suggestion(message, path) ?? `there are ${namesIn(command)}.`),
		"commander.unknownOption": () =>
			`There is no option "${quoted.split("=")[0]}"; ` +
			(suggestion(message) ?? `there are ${flagsOf(command).join(", ")}.`),
		"commander.missingArgument": () => `"${path}" needs <${quoted}>.`,
		"commander.missingMandatoryOptionValue": () => `"${path}" needs ${quoted}.`,
		"commander.optionMissingArgument": () =>
			`"${path}" needs a value in ${quoted}.`,
		"commander.excessArguments": () => surplus(command),
	};
	return new UsageError(sentences[code]?.() ?? `${message.split("\n")[0]}.`);
}

/** The nearest words that the parser has found, as the end of a sentence; undefined when none is near. */
function suggestion(message: string, path = ""): string | undefined {
	const near = /Did you mean (?:one of )?(.*)\?/.exec(message)?.[1];
	const meant = near?.split(", ").map((value) => `"${fullName(path, value)}"`);
	return meant && `did you mean ${meant.join(" or ")}?`;
}

function surplus(command: Command): string {
	const names = command.registeredArguments.map((arg) => `<${arg.name()}>`);
	const takes = names.length === 0 ? "no argument" : names.join(" ");
	return `"${pathOf(command)}" takes ${takes}, so "${command.args[names.length]}" is one too many.`;
}

function fullName(path: string, value: string): string {
	return `${path} ${value}`.trimStart();
}

function namesIn({ commands }: Command): string {
	return commands.map((command) => command.name()).join(", ");
}

function flagsOf({ options, parent }: Command): string[] {
	const flags = options.map(({ long }) => long ?? "");
	return parent === null ? flags : [...flags, ...flagsOf(parent)];
}
