import { z } from "zod";

/** An id in its usual form; responses only, where nothing needs to be checked. */
export const uuidText = () =>
	z.string().meta({ format: "uuid", description: "UUIDv7." });

const success = z.literal(true);

/** No query parameter at all: what a route takes that declares none. */
export const noQuery = z.strictObject({});

/** The body of a POST that says all in its path, which may be left out. */
export const noBody = z.strictObject({});

export const successBody = <S extends z.core.$ZodLooseShape>(shape: S) =>
	z.strictObject({ success, ...shape });

/** Bad entries of one list that are told of. */
const MOST_BAD = 100;

/**
 * A list whose entries are looked at until so many of them are bad. A body may hold a hundred thousand: to say what is
 * wrong with each of them takes half a second of the event loop, which all organizations share. Zod has no such option,
 * so the list's own way of reading, which Zod opens to libraries, is replaced. The list must have a check of its own.
 */
export function boundedList<List extends z.ZodArray>(list: List): List {
	const { element, checks } = list.def;
	const caps = z.core.util.sizeCaps(checks).map(([most]) => most);
	const { parse } = list._zod;
	list._zod.parse = (payload, ctx) => {
		const { value: entries, issues } = payload;
		if (!Array.isArray(entries) || entries.length > Math.min(...caps))
			return parse(payload, ctx);
		const values: unknown[] = [];
		for (const [index, value] of entries.entries()) {
			const read = element._zod.run({ value, issues: [] }, ctx);
			if (read instanceof Promise) throw new Error("An entry is read at once.");
			values.push(read.value);
			issues.push(...z.core.util.prefixIssues(index, read.issues));
			if (issues.length >= MOST_BAD) break;
		}
		payload.value = values;
		return payload;
	};
	return list;
}
