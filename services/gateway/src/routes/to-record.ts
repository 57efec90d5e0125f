import { isMessage } from "@bufbuild/protobuf";
import { TimestampSchema, timestampDate } from "@bufbuild/protobuf/wkt";
import { z } from "zod";

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
	? `${Head}${Capitalize<CamelCase<Tail>>}`
	: Name;

/** A service's record in the form of its schema; what is empty or absent is null where the schema allows null. */
export function toRecord<S extends z.ZodObject, Message extends object>(
	schema: S,
	message: Message &
		(CamelCase<keyof S["shape"]> extends keyof Message ? unknown : never),
): z.output<S> {
	return schema.parse(fieldsFrom(schema, message));
}

function fieldsFrom(schema: z.ZodObject, message: object): unknown {
	const fields = Object.entries(schema.shape).map(([name, field]) => {
		const value: unknown = Reflect.get(message, toCamelCase(name));
		return [name, toField(field, value)];
	});
	return Object.fromEntries(fields);
}

function toField(schema: unknown, value: unknown): unknown {
	if (value === "" || value === undefined)
		return schema instanceof z.ZodNullable ? null : value;
	if (typeof value === "bigint") return Number(value);
	if (isMessage(value, TimestampSchema))
		return timestampDate(value).toISOString();
	return schema instanceof z.ZodObject && isMessage(value)
		? fieldsFrom(schema, value)
		: value;
}

function toCamelCase(name: string): string {
	return name.replace(/_./g, ([, letter = ""]) => letter.toUpperCase());
}
