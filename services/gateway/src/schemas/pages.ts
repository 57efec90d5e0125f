import { z } from "zod";
import { successBody } from "./common.ts";
import { examples } from "./examples.ts";

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

const limit = z
	.string()
	.refine(isLimit, {
		message: `must be a whole number from 1 to ${MAX_LIMIT}`,
	})
	.transform(Number)
	.default(DEFAULT_LIMIT)
	.meta({
		type: "integer",
		minimum: 1,
		maximum: MAX_LIMIT,
		description: `Rows wanted, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when absent.`,
	});

function isLimit(value: string): boolean {
	return /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT;
}

const cursor = z.string().optional().meta({
	minLength: 1,
	description:
		"nextCursor of the page before. Good for the same list with the same filters only.",
});

/** The query of every paginated list; filters are added by `.extend`. */
export const pageQuery = z.strictObject({ limit, cursor });

const nextCursor = z
	.string()
	.nullable()
	.meta({
		description: "Pass it as cursor for the next page; null on the last one.",
	})
	.register(examples, { example: null });

export const pageBody = <S extends z.core.$ZodLooseShape>(rows: S) =>
	successBody({ ...rows, nextCursor });
