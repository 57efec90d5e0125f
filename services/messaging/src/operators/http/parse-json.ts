/**
 * A JSON document of an operator; undefined for another text. A number that would be written otherwise here, such as an
 * id of 64 bits, is its text as the operator wrote it.
 */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text, keepDigits);
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
