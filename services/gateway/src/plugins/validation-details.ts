import type { z } from "zod";
import type { Detail } from "../errors.ts";
import type { DetailCode } from "../schemas/error-body.ts";

/** Most bad fields that a response names: it must not outgrow its request by far. */
export const MAX_DETAILS = 100;
/** Most characters of an unknown name that a response repeats. */
const MAX_NAME = 64;

/** What a response says of one issue: one detail, or one for each unknown name. */
export function toDetails(
	issue: Issue,
	data: unknown,
	unknownCode: DetailCode,
): Detail[] {
	const field = issue.path.join(".");
	if (issue.code === "unrecognized_keys")
		return issue.keys
			.slice(0, MAX_DETAILS)
			.map((key) => unknownField(field, key, unknownCode));
	const meant = findMeant(issue);
	if (meant !== undefined)
		return meant.flatMap((inner) => {
			const path = [...issue.path, ...inner.path];
			return toDetails({ ...inner, path }, data, unknownCode);
		});
	const value = findValue(data, issue.path);
	const isRepeated =
		unknownCode === "unknown_parameter" && Array.isArray(value);
	const [code, message] = isRepeated
		? ["invalid_type", "may be given only once"]
		: blame(issue, value);
	const subject = field === "" ? "The body" : quoted(field);
	return [{ field, code, message: `${subject} ${message}.` }];
}

/** What is wrong with a value that may have several types, by the one that it has; undefined for a value of none. */
function findMeant(issue: Issue): readonly Issue[] | undefined {
	if (issue.code !== "invalid_union" || issue.discriminator !== undefined)
		return undefined;
	return issue.errors.find((issues) =>
		issues.every(
			({ code, path }) => code !== "invalid_type" || path.length > 0,
		),
	);
}

function unknownField(parent: string, key: string, code: DetailCode): Detail {
	const name = key.slice(0, MAX_NAME).toWellFormed();
	return {
		field: parent === "" ? name : `${parent}.${name}`,
		code,
		message: `${quoted(name)} is not known here.`,
	};
}

function findValue(data: unknown, path: readonly PropertyKey[]): unknown {
	let value = data;
	for (const key of path) {
		if (typeof value !== "object" || value === null) return undefined;
		value = Reflect.get(value, key);
	}
	return value;
}

type Issue = z.core.$ZodIssue;
type Blame = readonly [code: string, text: string];

const REQUIRED: Blame = ["required", "is required"];

/** The code of an issue and the end of a sentence that begins with the field's name. */
function blame(issue: Issue, value: unknown): Blame {
	if (issue.code === "custom")
		return [String(issue.params?.code ?? "invalid_value"), issue.message];
	if (value === undefined && isAboutAbsence(issue)) return REQUIRED;
	if (issue.code === "too_small" || issue.code === "too_big")
		return blameSize(issue);
	if (issue.code === "invalid_format")
		return ["invalid_format", formatText(issue.format, issue.message)];
	if (issue.code === "invalid_type")
		return ["invalid_type", `must be ${article(issue.expected)}`];
	if (issue.code === "invalid_value")
		return ["invalid_value", `must be ${listed(issue.values)}`];
	if (issue.code !== "invalid_union")
		return ["invalid_value", "has an invalid value"];
	return issue.discriminator === undefined
		? ["invalid_type", `must be ${typesFrom(issue).join(" or ")}`]
		: ["invalid_value", `must be ${listed(formsFrom(issue))}`];
}

function isAboutAbsence(issue: Issue): boolean {
	return issue.code === "invalid_union"
		? issue.discriminator !== undefined
		: issue.code === "invalid_type" || issue.code === "invalid_value";
}

type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

function blameSize(issue: SizeIssue): Blame {
	if (issue.code === "too_small")
		return issue.origin === "number"
			? ["too_small", `must be at least ${issue.minimum}`]
			: ["too_short", `must have at least ${count(issue, issue.minimum)}`];
	return issue.origin === "number"
		? ["too_large", `must be at most ${issue.maximum}`]
		: ["too_long", `must have at most ${count(issue, issue.maximum)}`];
}

function count({ origin }: SizeIssue, bound: number | bigint): string {
	const [one, many] =
		origin === "string" ? ["character", "characters"] : ["entry", "entries"];
	return Number(bound) === 1 ? `one ${one}` : `${bound} ${many}`;
}

function formatText(format: string, message: string): string {
	if (format === "uuid") return "must be a UUID";
	if (format === "url") return "must be an absolute URL";
	if (format === "datetime")
		return "must be a time with its offset, like 2026-12-01T09:00:00Z or 2026-12-01T10:00:00+01:00";
	return format === "regex" ? message : `must be a valid ${format}`;
}

function formsFrom(issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] {
	return "options" in issue ? (issue.options ?? []) : [];
}

/** With their articles. */
function typesFrom({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
	return errors
		.flat()
		.flatMap((inner) =>
			inner.code === "invalid_type" ? [article(inner.expected)] : [],
		);
}

function listed(values: readonly unknown[]): string {
	return values.map(quoted).join(" or ");
}

function article(type: string): string {
	return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function quoted(text: unknown): string {
	return `'${String(text)}'`;
}
