/**
 * True when a text has more than `max` characters. A character is a Unicode code point, as in JSON Schema: one or two
 * UTF-16 units, so that only texts between the two bounds are counted.
 */
export function isLongerThan(text: string, max: number): boolean {
	if (text.length <= max) return false;
	return text.length > 2 * max || countCharacters(text) > max;
}

/** Unicode code points of a text. */
export function countCharacters(text: string): number {
	return [...text].length;
}
