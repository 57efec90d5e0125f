import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import type { Detail } from "../errors.ts";
import { MAX_DETAILS, toDetails } from "./validation-details.ts";

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
