import { isUtf8 } from "node:buffer";
import type { Allowances } from "@airtower/platform/runtime/allowances";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { type Detail, RefusalError } from "../errors.ts";
import type { App } from "../routes/routes.ts";
import { MAX_DETAILS, toDetails } from "./validation-details.ts";

const ENCODED = {
	code: "unsupported_media_type",
	message: "Send the body as it is, without a Content-Encoding.",
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
			else done(notUtf8(type));
		},
	);
}

function notUtf8(type: string): RefusalError {
	const code =
		type === "application/json" ? "malformed_json" : "validation_failed";
	return new RefusalError({
		code,
		message: "The body is not UTF-8; encode it, or save the table, as UTF-8.",
	});
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
		// To tell of all that is wrong would take the event loop, which all organizations share.
		const details = result.error.issues
			.slice(0, MAX_DETAILS)
			.filter(isCause)
			.flatMap((issue) => toDetails(issue, data, unknownCode));
		return { error: new ValidationError(details.slice(0, MAX_DETAILS)) };
	};
};

/** False for what follows from a wrong type: a text in place of a list may be longer than the list may be. */
function isCause(
	issue: z.core.$ZodIssue,
	_: number,
	all: readonly z.core.$ZodIssue[],
): boolean {
	const isWrongType = (other: z.core.$ZodIssue) =>
		other.code === "invalid_type" && `${other.path}` === `${issue.path}`;
	return issue.code === "invalid_type" || !all.some(isWrongType);
}

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
			? Object.keys(form.shape).filter((field) => Object.hasOwn(given, field))
					.length
			: 0;
	const [first, ...others] = schema.options as readonly z.ZodType[];
	return others.reduce<z.ZodType>(
		(best, form) => (shared(form) > shared(best) ? form : best),
		first ?? schema,
	);
}
