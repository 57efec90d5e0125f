import { expect, test } from "vitest";
import { UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { parseLine } from "./parse-line.ts";

function parse(...args: string[]) {
	return parseLine(args, commands);
}

test("a command is read with its arguments and options, in any order", () => {
	const line = parse("organizations", "create", "--email", "a@b.c", "Acme");
	expect(line.command?.name).toBe("organizations create");
	expect(Object.fromEntries(line.values)).toEqual({
		name: "Acme",
		email: "a@b.c",
	});
	expect(line).toMatchObject({ help: false, json: false, dataDir: undefined });
});

test("a negative number is an argument", () => {
	const { values } = parse("quota", "grant", "Acme", "-5", "--note", "undo");
	expect(values.get("units")).toBe("-5");
});

test("--json and --data-dir belong to every command", () => {
	expect(parse("plans", "list", "--json", "--data-dir", "x")).toMatchObject({
		json: true,
		dataDir: "x",
	});
});

test.each([
	[["--help"], undefined],
	[["quota", "--help"], "quota"],
	[["-h"], undefined],
])("%j asks for help", (args, group) => {
	const line = parse(...args);
	expect(line.help).toBe(true);
	expect(line.group).toBe(group);
});

test.each(commands.map(({ name }) => [name]))(
	"%s --help needs no argument",
	(name) => {
		const line = parse(...name.split(" "), "--help");
		expect(line).toMatchObject({ help: true, command: { name } });
	},
);

test.each([
	[["organisations", "list"], 'did you mean "organizations"?'],
	[["organizations", "lst"], 'did you mean "organizations list"?'],
	[["quota", "zzzzzzzz"], '"quota" has grant.'],
	[["quota"], '"quota" needs one of: grant.'],
	[["plans", "list", "--jsn"], 'did you mean "--json"?'],
	[["plans", "list", "--jsn=1"], 'no option "--jsn"'],
	[["plans", "list", "-x"], 'no option "-x"'],
	[["organizations", "create", "--email", "a@b.c"], "needs <name>."],
	[["organizations", "create", "Acme"], "needs --email."],
	[["plans", "list", "surplus"], '"surplus" is one too many.'],
	[["organizations", "create", "Acme", "--email"], "--email"],
	[["--json"], 'A command must come before "--json".'],
])("%j is refused in one sentence", (args, part) => {
	expect(() => parse(...args)).toThrow(UsageError);
	expect(() => parse(...args)).toThrow(part);
	expect(() => parse(...args)).toThrow(/^[^\n]+[.?]$/);
});

test("no two commands have one name", () => {
	const names = commands.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
});
