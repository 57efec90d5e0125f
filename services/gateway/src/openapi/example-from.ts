import { z } from "zod";
import { examples } from "../schemas/examples.ts";

/** An example of a schema: its own, or one put together from those of its parts. */
export function exampleFrom(schema: unknown): unknown {
	if (!(schema instanceof z.ZodType)) return undefined;
	const own = examples.get(schema);
	if (own !== undefined) return own.example;
	if (schema instanceof z.ZodLiteral) return schema.value;
	if (schema instanceof z.ZodArray) return [exampleFrom(schema.element)];
	if (!(schema instanceof z.ZodObject)) return undefined;
	const fields = Object.entries(schema.shape);
	return Object.fromEntries(
		fields.map(([name, field]) => [name, exampleFrom(field)]),
	);
}
