import { isUtf8 } from "node:buffer";
import type { Allowances } from "@airtower/platform/runtime/allowances";
import type { FastifyRequest, preValidationHookHandler } from "fastify";
import { RefusalError } from "../errors.ts";
import type { App } from "../routes/routes.ts";

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

/** For a route whose body may be left out; `null` is a body, of the wrong type. */
export const giveEmptyBody: preValidationHookHandler = (request, _, done) => {
	if (request.body === undefined) request.body = {};
	done();
};
