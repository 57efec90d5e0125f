import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";
import { nearest } from "./nearest.ts";
import { SHARED_OPTIONS } from "./shared-options.ts";

/** A command line that was understood. */
export interface Line {
	/** Absent when help on all commands or on a group is wanted. */
	readonly command?: Command;
	/** Group whose help is wanted. */
	readonly group?: string;
	readonly help: boolean;
	readonly json: boolean;
	readonly dataDir: string | undefined;
	/** Arguments and options by name. */
	readonly values: ReadonlyMap<string, string>;
}

const NEGATIVE_NUMBER = /^-\d+$/;
/** Stands before a negative number while the parser would take it for an option. */
const MARK = "\u0000";

/**
 * Reads a command line.
 * @throws UsageError with one sentence about the first thing that is wrong
 */
export function parseLine(
	args: readonly string[],
	commands: readonly Command[],
): Line {
	const words = leadingWords(args);
	const command = commands.find(({ name }) => name === words.join(" "));
	const group = words[0];
	if (command === undefined) return parseHelp(args, commands, group, words[1]);
	const { values, positionals } = parse(args.slice(words.length), command);
	const help = values.help === true;
	return {
		command,
		help,
		json: values.json === true,
		dataDir: textOf(values["data-dir"]),
		values: help
			? new Map()
			: namedValues(command, values, positionals.map(unmark)),
	};
}

/** The group and the name of a command: the first two words. */
function leadingWords(args: readonly string[]): string[] {
	const end = args.findIndex((arg) => arg.startsWith("-"));
	return args.slice(0, end === -1 ? 2 : Math.min(2, end));
}

function parseHelp(
	args: readonly string[],
	commands: readonly Command[],
	group: string | undefined,
	name: string | undefined,
): Line {
	const groups = [...new Set(commands.map((command) => groupOf(command)))];
	const asked = args.includes("--help") || args.includes("-h");
	if (group !== undefined && !groups.includes(group))
		throw new UsageError(
			`There is no command "${group}"${suggest(group, groups)}`,
		);
	if (name !== undefined) throw unknownCommand(commands, group ?? "", name);
	if (!asked && group !== undefined)
		throw new UsageError(
			`"${group}" needs one of: ${namesIn(commands, group).join(", ")}.`,
		);
	const first = args.find((arg) => arg.startsWith("-"));
	if (!asked && first !== undefined)
		throw new UsageError(`A command must come before "${first}".`);
	const help = { help: asked, json: false, dataDir: undefined };
	return { ...help, values: new Map(), ...(group !== undefined && { group }) };
}

function unknownCommand(
	commands: readonly Command[],
	group: string,
	name: string,
): UsageError {
	const names = namesIn(commands, group);
	const meant = nearest(name, names);
	const hint = meant === undefined ? "" : ` ${group} ${meant}`;
	return new UsageError(
		hint === ""
			? `There is no command "${group} ${name}"; "${group}" has ${names.join(", ")}.`
			: `There is no command "${group} ${name}"; did you mean "${hint.trim()}"?`,
	);
}

function namesIn(commands: readonly Command[], group: string): string[] {
	return commands
		.filter((command) => groupOf(command) === group)
		.map(({ name }) => name.slice(group.length + 1));
}

/** First word of a command's name. */
export function groupOf({ name }: Command): string {
	return name.split(" ")[0] ?? "";
}

function parse(args: readonly string[], command: Command) {
	const specs = { ...command.options, ...SHARED_OPTIONS };
	const options = Object.fromEntries(
		Object.entries(specs).map(([name, { value }]) => [
			name,
			{
				type: value === undefined ? ("boolean" as const) : ("string" as const),
				...(name === "help" && { short: "h" }),
			},
		]),
	);
	try {
		return parseArgs({
			args: args.map((arg) => (NEGATIVE_NUMBER.test(arg) ? MARK + arg : arg)),
			options,
			allowPositionals: true,
		});
	} catch (error) {
		throw describe(error, Object.keys(specs));
	}
}

/** What the parser says, with the option that was meant. */
function describe(error: unknown, names: readonly string[]): UsageError {
	const text = error instanceof Error ? error.message : String(error);
	const ambiguous = /^Option '(-[^']*)' argument is ambiguous/.exec(text)?.[1];
	if (ambiguous !== undefined)
		return new UsageError(
			`A value that begins with a dash is written ${ambiguous.replace(/^-\w, /, "").replace(/ <.*/, "")}=VALUE.`,
		);
	const unknown = /^Unknown option '(-+[^'=]*)/.exec(text)?.[1];
	if (unknown === undefined)
		return new UsageError(`${text.split(/\. |\n/)[0]?.replace(/\.$/, "")}.`);
	const dashed = names.map((name) => `--${name}`);
	return new UsageError(
		`There is no option "${unknown}"${suggest(unknown, dashed)}`,
	);
}

function suggest(word: string, candidates: readonly string[]): string {
	const meant = nearest(word, candidates);
	return meant === undefined
		? `; there are ${candidates.join(", ")}.`
		: `; did you mean "${meant}"?`;
}

type ParsedValues = Readonly<
	Record<string, string | boolean | (string | boolean)[] | undefined>
>;

function namedValues(
	command: Command,
	values: ParsedValues,
	positionals: readonly string[],
): Map<string, string> {
	const { args, options = {} } = command;
	const missing = args[positionals.length];
	if (missing !== undefined)
		throw new UsageError(`"${command.name}" needs <${missing}>.`);
	const surplus = positionals[args.length];
	if (surplus !== undefined)
		throw new UsageError(
			`"${command.name}" takes ${args.length === 0 ? "no argument" : `only ${args.map((arg) => `<${arg}>`).join(" ")}`}, so "${surplus}" is one too many.`,
		);
	const named = new Map(args.map((arg, nth) => [arg, positionals[nth] ?? ""]));
	for (const [name, { required }] of Object.entries(options)) {
		const value = textOf(values[name]);
		if (value !== undefined) named.set(name, value);
		else if (required)
			throw new UsageError(`"${command.name}" needs --${name}.`);
	}
	return named;
}

function textOf(value: ParsedValues[string]): string | undefined {
	return typeof value === "string" ? unmark(value) : undefined;
}

function unmark(text: string): string {
	return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}
