/** A character is a Unicode code point, as in JSON Schema. */
export function isLongerThan(text: string, max: number): boolean {
	if (text.length <= max) return false;
	return text.length > 2 * max || countCharacters(text) > max;
}

export function countCharacters(text: string): number {
	return [...text].length;
}
