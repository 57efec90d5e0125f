import { isUtf8 } from "node:buffer";
import type { Allowances } from "@airtower/platform/runtime/allowances";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { type Detail, RefusalError } from "../errors.ts";
import type { App } from "../routes/routes.ts";
import type { DetailCode } from "../schemas/error-body.ts";

const ENCODED = {
	code: "unsupported_media_type",
	message: "Send the body as it is, without a Content-Encoding.",
} as const;

const NOT_UTF8 = {
	code: "malformed_json",
	message: "The body is not UTF-8, as JSON is (RFC 8259, 8.1).",
} as const;

declare module "fastify" {
	interface FastifyContextConfig {
		/** Field of the body that a table is, for a route that takes one as `text/csv` too. */
		csvField?: string;
	}
}

type Parse = (
	request: FastifyRequest,
	octets: Buffer,
	done: (error: Error | null, body?: unknown) => void,
) => void;

/** Leaves a parser for JSON; some clients announce a body where none is needed, and send none. And one for tables. */
export function acceptJsonAndTables(app: App, bodies: Allowances): void {
	// Names such as __proto__ are unknown fields like any other.
	const parse = app.getDefaultJsonParser("ignore", "ignore");
	app.removeAllContentTypeParsers();
	accept(app, "application/json", bodies, (request, octets, done) => {
		if (octets.length === 0 && isBodyOptional(request)) done(null, undefined);
		else void parse(request, octets.toString(), done);
	});
	accept(app, "text/csv", bodies, ({ routeOptions }, octets, done) => {
		const { csvField } = routeOptions.config;
		if (csvField === undefined)
			done(new RefusalError({ code: "unsupported_media_type" }));
		else done(null, { [csvField]: octets.toString() });
	});
}

function accept(
	app: App,
	type: string,
	bodies: Allowances,
	parse: Parse,
): void {
	app.addContentTypeParser<Buffer>(
		type,
		{ parseAs: "buffer" },
		(request, octets, done) => {
			const { "content-encoding": coding = "identity" } = request.headers;
			const waitMs = takeBytes(bodies, request, octets.length);
			if (waitMs > 0) done(tooManyBytes(waitMs));
			else if (coding !== "identity") done(new RefusalError(ENCODED));
			else if (isUtf8(octets)) parse(request, octets, done);
			else done(new RefusalError(NOT_UTF8));
		},
	);
}

/** To parse and check a body takes the event loop, which all organizations share. */
function takeBytes(
	bodies: Allowances,
	{ caller }: FastifyRequest,
	bytes: number,
): number {
	return caller === null ? 0 : bodies.take(caller.organizationId, bytes);
}

function tooManyBytes(waitMs: number): RefusalError {
	return new RefusalError({
		code: "rate_limited",
		message:
			"The organization sends too many bytes; its bodies may have 1 MiB a second.",
		retryAfterS: Math.ceil(waitMs / 1_000),
	});
}

function isBodyOptional({ method, routeOptions }: FastifyRequest): boolean {
	return method === "DELETE" || routeOptions.config.isBodyOptional === true;
}

/** Most bad fields that a response names: it must not outgrow its request by far. */
const MAX_DETAILS = 100;
/** Most characters of an unknown name that a response repeats. */
const MAX_NAME = 64;

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
		const details = result.error.issues.flatMap((issue) =>
			toDetails(issue, data, unknownCode),
		);
		return { error: new ValidationError(details.slice(0, MAX_DETAILS)) };
	};
};

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
			? Object.keys(given).filter((field) => Object.hasOwn(form.shape, field))
					.length
			: 0;
	const [first, ...others] = schema.options as readonly z.ZodType[];
	return others.reduce<z.ZodType>(
		(best, form) => (shared(form) > shared(best) ? form : best),
		first ?? schema,
	);
}

/** What a response says of one issue: one detail, or one for each unknown name. */
function toDetails(
	issue: Issue,
	data: unknown,
	unknownCode: DetailCode,
): Detail[] {
	const field = issue.path.join(".");
	if (issue.code === "unrecognized_keys")
		return issue.keys
			.slice(0, MAX_DETAILS)
			.map((key) => unknownField(field, key, unknownCode));
	const value = findValue(data, issue.path);
	const isRepeated =
		unknownCode === "unknown_parameter" && Array.isArray(value);
	const [code, message] = isRepeated
		? ["invalid_type", "may be given only once"]
		: blame(issue, value);
	const subject = field === "" ? "The body" : quoted(field);
	return [{ field, code, message: `${subject} ${message}.` }];
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

function quoted(text: unknown): string {
	return `'${String(text)}'`;
}
