import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import type { Detail } from "../errors.ts";
import type { DetailCode } from "../schemas/errors.ts";

/** One part of a request does not fit its schema. */
export class ValidationError extends Error {
	readonly details: readonly Detail[];
	/** Set by the framework: "body", "querystring", "params" or "headers". */
	validationContext?: string;

	constructor(details: readonly Detail[]) {
		super("validation failed");
		this.details = details;
	}
}

/** Checks bodies, queries and parameters with the zod schema of the route; names every bad field. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({
	schema,
	httpPart,
}) => {
	const unknownCode =
		httpPart === "body" ? "unknown_field" : "unknown_parameter";
	return (data: unknown) => {
		const result = findForm(schema, data).safeParse(data);
		if (result.success) return { value: result.data };
		const { issues } = result.error;
		const details = issues.flatMap((issue) =>
			toDetails(issue, data, unknownCode),
		);
		return { error: new ValidationError(details.slice(0, MAX_DETAILS)) };
	};
};

/** Bad fields that one response names: a response must not outgrow its request by far. */
const MAX_DETAILS = 100;
/** Characters of an unknown name that are given back. */
const MAX_NAME = 64;

/** A body that may have several forms is judged by the one it shares most fields with. */
function findForm(schema: z.ZodType, data: unknown): z.ZodType {
	if (
		!(schema instanceof z.ZodUnion) ||
		schema instanceof z.ZodDiscriminatedUnion
	)
		return schema;
	const given = typeof data === "object" && data !== null ? data : {};
	const shared = (form: unknown) =>
		form instanceof z.ZodObject
			? Object.keys(given).filter((field) => field in form.shape).length
			: 0;
	const [first, ...others] = schema.options as readonly z.ZodType[];
	return others.reduce<z.ZodType>(
		(best, form) => (shared(form) > shared(best) ? form : best),
		first ?? schema,
	);
}

type Issue = z.core.$ZodIssue;

function toDetails(
	issue: Issue,
	data: unknown,
	unknownCode: DetailCode,
): Detail[] {
	const field = issue.path.join(".");
	if (issue.code === "unrecognized_keys")
		return issue.keys.slice(0, MAX_DETAILS).map((key) => {
			const name = key.slice(0, MAX_NAME).toWellFormed();
			return {
				field: field === "" ? name : `${field}.${name}`,
				code: unknownCode,
				message: `${quoted(name)} is not known here.`,
			};
		});
	const value = findValue(data, issue.path);
	const isRepeated =
		unknownCode === "unknown_parameter" && Array.isArray(value);
	const [code, message] = isRepeated
		? ["invalid_type", "may be given only once"]
		: blame(issue, value);
	return [{ field, code, message: `${subject(field)} ${message}.` }];
}

/** The code and the end of a sentence that begins with the field's name. */
function blame(issue: Issue, value: unknown): [code: string, text: string] {
	if (issue.code === "custom")
		return [String(issue.params?.code ?? "invalid_value"), issue.message];
	if (issue.code === "invalid_union" && issue.discriminator !== undefined)
		return value === undefined
			? ["required", "is required"]
			: ["invalid_value", `must be ${listOptions(issue)}`];
	if (issue.code === "invalid_type")
		return value === undefined
			? ["required", "is required"]
			: ["invalid_type", `must be ${article(issue.expected)}`];
	if (issue.code === "too_small")
		return issue.origin === "number"
			? ["too_small", `must be at least ${issue.minimum}`]
			: ["too_short", `must have at least ${count(issue)}`];
	if (issue.code === "too_big")
		return issue.origin === "number"
			? ["too_large", `must be at most ${issue.maximum}`]
			: ["too_long", `must have at most ${count(issue)}`];
	if (issue.code === "invalid_value")
		return value === undefined
			? ["required", "is required"]
			: ["invalid_value", `must be ${issue.values.map(quoted).join(" or ")}`];
	if (issue.code === "invalid_format")
		return ["invalid_format", formatText(issue.format, issue.message)];
	return ["invalid_value", "has an invalid value"];
}

/** The names of a body's forms. */
function listOptions(issue: z.core.$ZodIssueInvalidUnion): string {
	const options = "options" in issue ? (issue.options ?? []) : [];
	return options.map(quoted).join(" or ");
}

function count(
	issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): string {
	const bound = issue.code === "too_small" ? issue.minimum : issue.maximum;
	const unit = issue.origin === "string" ? "character" : "entry";
	if (Number(bound) === 1) return `one ${unit}`;
	return `${bound} ${unit === "entry" ? "entries" : "characters"}`;
}

function formatText(format: string, message: string): string {
	if (format === "uuid") return "must be a UUID";
	if (format === "url") return "must be an absolute URL";
	return format === "regex" ? message : `must be a valid ${format}`;
}

function article(type: string): string {
	return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function subject(field: string): string {
	return field === "" ? "The body" : quoted(field);
}

function quoted(text: unknown): string {
	return `'${String(text)}'`;
}

function findValue(data: unknown, path: readonly PropertyKey[]): unknown {
	let value = data;
	for (const key of path) {
		if (typeof value !== "object" || value === null) return undefined;
		value = Reflect.get(value, key);
	}
	return value;
}
