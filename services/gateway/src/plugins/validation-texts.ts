import type { z } from "zod";

export type Issue = z.core.$ZodIssue;
type Blame = readonly [code: string, text: string];

const REQUIRED: Blame = ["required", "is required"];

/** The code of an issue and the end of a sentence that begins with the field's name. */
export function blame(issue: Issue, value: unknown): Blame {
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
	return issue.code === "invalid_union" && issue.discriminator !== undefined
		? ["invalid_value", `must be ${listed(formsFrom(issue))}`]
		: ["invalid_value", "has an invalid value"];
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
	return format === "regex" ? message : `must be a valid ${format}`;
}

function formsFrom(issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] {
	return "options" in issue ? (issue.options ?? []) : [];
}

function listed(values: readonly unknown[]): string {
	return values.map(quoted).join(" or ");
}

function article(type: string): string {
	return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export function quoted(text: unknown): string {
	return `'${String(text)}'`;
}
