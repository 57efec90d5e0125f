import { expect, test } from "vitest";
import { commands } from "./commands.ts";
import { UsageError } from "./errors.ts";
import { parseLine } from "./parse-line.ts";

function parse(...args: string[]) {
	return parseLine(args, commands);
}

test("a command is read with its arguments and options, in any order", () => {
	const line = parse("organizations", "create", "--email", "a@b.c", "Acme");
	expect(line).toMatchObject({
		command: { line: "organizations create <name>" },
		dataDir: undefined,
		values: new Map([
			["name", "Acme"],
			["email", "a@b.c"],
		]),
	});
});

test("a negative number is an argument", () => {
	const line = parse("quota", "grant", "Acme", "-5", "--note", "undo");
	expect(line).toHaveProperty(
		"values",
		new Map([
			["organization", "Acme"],
			["units", "-5"],
			["note", "undo"],
		]),
	);
});

test.each([
	["plans", "list", "--json", "--data-dir", "x"],
	["--data-dir", "x", "plans", "list"],
])("--json and --data-dir belong to every command: %s %s", (...args) => {
	expect(parse(...args)).toMatchObject({ dataDir: "x" });
});

test.each([
	[["--help"], "dead-letters redrive <service> <group> "],
	[["-h"], "quota grant <organization> <units> "],
	[["quota", "--help"], "quota grant <organization> <units> "],
])("%j shows the commands there are", (args, part) => {
	expect(parse(...args)).toContain(part);
});

test.each(commands)("$line has help that needs no argument", (command) => {
	const [group = "", name = ""] = command.line.split(" ");
	const help = parse(group, name, "--help");
	expect(help).toContain(`Usage: npm run admin -- ${command.line}`);
	const options = { ...command.options, ...command.required };
	for (const flags of [...Object.keys(options), "--json", "--data-dir <path>"])
		expect(help).toContain(`  ${flags} `);
});

test("help names the required options in the usage, and the environment below", () => {
	const text = parse("organizations", "create", "-h");
	expect(text).toContain("create <name> --email <address> [options]\n");
	expect(text).toMatch(/--email <address> +contact address \(required\)\n/);
	expect(text).toContain("AIRTOWER_ADMIN_TOKEN");
});

test.each([
	[["organisations", "list"], 'did you mean "organizations"?'],
	[["organizations", "lst"], 'did you mean "organizations list"?'],
	[["quota", "zzzzzzzz"], 'no command "quota zzzzzzzz"; there are grant.'],
	[["quota"], '"quota" needs one of: grant.'],
	[["--json"], "The line needs one of: organizations, plans, "],
	[["zzzzzzzz"], "there are organizations, plans, "],
	[["plans", "list", "--jsn"], 'did you mean "--json"?'],
	[["plans", "list", "--jsn=1"], 'no option "--jsn"'],
	[["plans", "list", "-x"], 'no option "-x"; there are --json, --data-dir.'],
	[["organizations", "create", "--email", "a@b.c"], "needs <name>."],
	[["organizations", "create", "Acme"], "needs --email <address>."],
	[["plans", "list", "surplus"], '"surplus" is one too many.'],
	[["organizations", "create", "Acme", "--email"], "--email <address>"],
	[["quota", "grant", "Acme", "5", "--note", "-refund"], "--note=VALUE"],
	[["quota", "grant", "Acme", "5", "--note", "--json"], "--note <text>"],
])("%j is refused in one sentence", (args, part) => {
	expect(() => parse(...args)).toThrow(UsageError);
	expect(() => parse(...args)).toThrow(part);
	expect(() => parse(...args)).toThrow(/^[^\n]+[.?]$/);
});

test("no two commands have one name", () => {
	const names = commands.map(({ line }) => line.split(" <")[0]);
	expect(new Set(names).size).toBe(names.length);
});
