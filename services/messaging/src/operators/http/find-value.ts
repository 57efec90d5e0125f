/** Some operators write it before their UTF-8; a JSON document does not begin with it (RFC 8259, 8.1). */
const BYTE_ORDER_MARK = /^\u{FEFF}/u;

/**
 * A JSON document of an operator; undefined for another text. A number that would be written otherwise here, such as an
 * id of 64 bits, is its text as the operator wrote it.
 */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(BYTE_ORDER_MARK, ""), keepDigits);
	} catch {
		return undefined;
	}
}

function keepDigits(
	_key: string,
	value: unknown,
	context?: { readonly source?: string },
): unknown {
	return typeof value === "number" && String(value) !== context?.source
		? context?.source
		: value;
}

/** What stands at a path such as "messages.0.id" of a JSON document; undefined where nothing does. */
export function findValue(json: unknown, path: string): unknown {
	return path.split(".").reduce((value, key) => {
		if (value === null || typeof value !== "object") return undefined;
		return Object.hasOwn(value, key)
			? (value as Record<string, unknown>)[key]
			: undefined;
	}, json);
}

/** A text, number or truth value at a path, as text; undefined where nothing or something else stands there. */
export function findText(
	json: unknown,
	path: string | undefined,
): string | undefined {
	const value = path === undefined ? undefined : findValue(json, path);
	return typeof value === "string" ||
		typeof value === "number" ||
		typeof value === "boolean"
		? String(value)
		: undefined;
}

/** What a table has under a key that came from outside. */
export function findOwn<T>(
	table: Readonly<Record<string, T>>,
	key: string,
): T | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
